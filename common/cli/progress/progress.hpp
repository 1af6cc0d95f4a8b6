#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace lab::cli {

/// report/out/results/<kind>-<lab>-<variant>-<backend_kind>.json
std::filesystem::path result_file(const std::string& kind, const std::string& lab, const std::string& variant,
                                  const std::string& backend);
void keep_result(const std::string& kind, const std::string& lab, const std::string& variant,
                 const std::string& backend, const nlohmann::json& document);

/// What is remembered of a lab in .lab/state.json, in the checkout; nothing else is kept anywhere.
struct progress {
  bool passed = false;  ///< once; what happens to the kernel afterwards takes nothing back
  int hints = 0;        ///< how many hints were shown
};
progress recall(const std::string& lab);

/// Changes what is remembered of a lab; commands that do so at the same time wait for each other.
void remember(const std::string& lab, const std::function<void(progress&)>& change);

/// The name of the lab that was begun last; empty for none.
std::string recall_current();
void remember_current(const std::string& lab);

/// UTC, "2026-11-21T04:05:06Z".
std::string now();

}  // namespace lab::cli
