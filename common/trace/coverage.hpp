#pragma once

#include <compare>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "trace/trace_report.hpp"

namespace lab::judge {

/// All accesses of one kind on one line of a kernel, or a barrier there. The iterations of a loop after its first are a
/// place of their own, because many mistakes need two.
struct executed_place {
  std::string kernel{}, file{};
  int line = 0;
  std::string op{}, space{};  ///< as in `place_in_source`
  bool repeated = false;

  friend auto operator<=>(const executed_place&, const executed_place&) = default;
};

/// The places that traced runs have executed.
class coverage {
 public:
  void add(const trace_report& report);

  /// The places of another report that are not covered.
  std::vector<executed_place> missing(const trace_report& report) const;

  std::size_t places() const { return places_.size(); }

 private:
  std::set<executed_place> places_;
};

/// "kernel.cu:31-35, 40": the lines of these places, file by file.
std::string lines_of(const std::vector<executed_place>& places);

nlohmann::json to_json(const executed_place& place);

}  // namespace lab::judge
