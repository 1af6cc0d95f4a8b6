#include "diagnosis/diagnosis.hpp"

#include <fmt/format.h>

namespace lab::judge {

diagnoses diagnose(const mismatch& e) {
  const auto& r = e.result;
  if (r.untouched == r.total && e.on_host)
    return {
        {"not_copied_back", fmt::format("Nothing has arrived in `{}`, which is host memory: the result is still on the "
                                        "device. Is it copied back, in the right direction, and does every call before "
                                        "succeed?",
                                        e.name)}};
  if (r.untouched == r.total)
    return {
        {"untouched", fmt::format("Nothing was written to `{}`. Either the kernel was never launched, or its grid is "
                                  "empty or wrong, or every thread returned before its store.",
                                  e.name)}};
  if (auto d = by_value(e); !d.empty()) return d;
  if (auto d = by_position(e); !d.empty()) return d;
  if (r.wrong == r.total)
    return {diagnosis{"wrong_everywhere",
                      "No element is right: look at what one thread computes, for one index, by hand."}};
  return {diagnosis{"scattered",
                    "The wrong elements form no pattern known here. Compute the first one by hand: what does its "
                    "thread read? If other "
                    "elements are wrong in the next run, two threads race."}};
}

diagnoses diagnose(const stray_store& s, const std::string& name, const array_shape& extents) {
  if (s.before)
    return {diagnosis{"negative_index", fmt::format("An index into `{}` is negative for some thread.", name)}};
  const diagnosis guard{
      "missing_guard",
      fmt::format("Threads beyond the end of `{}` store as well. The grid is rounded up to whole blocks, "
                  "so each thread must check that its element exists.",
                  name)};
  // One row too many reaches a row's length past the end, one column too many one element.
  const bool one_too_far = s.farthest <= static_cast<std::size_t>(extents.size() > 1 ? extents.back() + 1 : 1);
  if (!one_too_far) return {guard};
  return {
      {"off_by_one", fmt::format("A store falls just past the end of `{}`: a guard says <= where it must say <, or an "
                                 "index is one too large.",
                                 name)},
      guard};
}

diagnoses diagnose_launch(const std::string& error) {
  if (error.find("IllegalAddress") != std::string::npos)
    return {diagnosis{"missing_guard",
                      "A thread reached far beyond its array. Most often that is a thread without an "
                      "element of its own, which a bounds guard must stop, or an index made of the wrong "
                      "extents."}};
  if (error.find("shared memory") != std::string::npos)
    return {
        diagnosis{"bad_launch",
                  "A block asks for more shared memory than it may have at this size. What does the third number in "
                  "<<< >>> come to, and which kernel takes the sizes that do not fit?"}};
  if (error.find("InvalidConfiguration") == std::string::npos && error.find("InvalidValue") == std::string::npos)
    return {};
  return {diagnosis{"bad_launch",
                    "The launch configuration is not possible: a block may have at most 1024 threads, and neither "
                    "block nor grid may be empty. What do they come to at this size?"}};
}

}  // namespace lab::judge
