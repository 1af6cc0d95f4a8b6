#include "judge/diagnosis.hpp"

#include <fmt/format.h>

namespace lab::judge {

extents as_matrix(const shape& s) {
  if (s.empty()) return {};
  return {count(shape(s.begin(), s.end() - 1)), s.back()};
}

diagnosis diagnose(const evidence& e) {
  const auto& r = e.result;
  if (r.untouched == r.total)
    return {"untouched",
            fmt::format("Nothing was written to `{}`. Either the kernel was never launched, or its grid is "
                        "empty or wrong, or every thread returned before its store.",
                        e.name)};
  if (auto d = by_values(e)) return d;
  if (auto d = by_places(e)) return d;
  if (r.wrong == r.total)
    return {"wrong_everywhere", "No element is right: look at what one thread computes, for one index, by hand."};
  return {"scattered",
          "The wrong elements form no pattern known here. If they change from run to run, two threads race."};
}

diagnosis diagnose(const stray_store& s, const std::vector<std::string>& parameters) {
  const auto& name = parameters.at(s.parameter);
  if (s.before) return {"negative_index", fmt::format("An index into `{}` is negative for some thread.", name)};
  if (s.farthest == 1)
    return {"off_by_one", fmt::format("One store falls just past the end of `{}`: a guard says <= where it must say <, "
                                      "or an index is one too large.",
                                      name)};
  return {"missing_guard", fmt::format("Threads beyond the end of `{}` store as well. The grid is rounded up to whole "
                                       "blocks, so each thread must check that its element exists.",
                                       name)};
}

}  // namespace lab::judge
