#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace lab::cli {

/// report/out/results/<kind>-<lab>-<variant>-<backend>.json
std::filesystem::path result_file(const std::string& kind, const std::string& lab, const std::string& variant,
                                  const std::string& backend);
void keep_result(const std::string& kind, const std::string& lab, const std::string& variant,
                 const std::string& backend, const nlohmann::json& document);

/// A student's progress in one lab, kept in .lab/state.json of the checkout.
struct progress {
  bool passed = false;     ///< a check passed once; later failures do not reset it
  int hints = 0;           ///< number of hints shown
  std::set<int> stages{};  ///< those that passed once, from 1
};
progress recall(const std::string& lab);

/// Changes the progress in a lab. Simultaneous commands wait for each other.
void remember(const std::string& lab, const std::function<void(progress&)>& change);

/// The name of the lab that `lab watch` started last; empty for none.
std::string recall_current();
void remember_current(const std::string& lab);

/// Saves results and goes on if that fails, so that a full disk hides no verdict.
class saver {
 public:
  void save(const std::function<void()>& write);
  /// Says on stderr that something was not saved, and sets the code to `lacking`.
  void report(int& code) const;

 private:
  std::string trouble_;  // the first
};

/// UTC, "2026-11-21T04:05:06Z".
std::string now();

}  // namespace lab::cli
