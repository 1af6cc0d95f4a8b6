#include "diagnosis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lab::judge {

using enum diagnosis_kind;

namespace {

diagnosis nothing_written(const mismatch& wrong) {
  if (wrong.on_host)
    return {not_copied_back, fmt::format("No result arrived in `{}`, which is host memory. Is it copied back, in the "
                                         "right direction, and does every earlier call succeed?",
                                         wrong.name)};
  if (has_values_before(wrong))
    return {untouched, fmt::format("Every element of `{}` still has its value from before the call. Either the kernel "
                                   "was never launched, or it stores the old value, or every thread returned before "
                                   "its store.",
                                   wrong.name)};
  return {untouched, fmt::format("The kernel wrote nothing to `{}`. Either it has no store yet, or it was never "
                                 "launched, or its grid is empty or wrong, or every thread returned before its store.",
                                 wrong.name)};
}

// One number has no pattern, but a sign.
diagnosis only_element(const mismatch& wrong) {
  const double off =
      number_at(wrong.view.type, wrong.view.actual, 0) - number_at(wrong.view.type, wrong.view.expected, 0);
  if (off > 0)
    return {wrong_everywhere, fmt::format("The only element of `{}` is {:.9g} too large. Do threads without an element "
                                          "of their own add to it, or does a thread add twice?",
                                          wrong.name, off)};
  return {wrong_everywhere,
          fmt::format("The only element of `{}` is {:.9g} too small. Which threads add nothing to it, "
                      "or whose addition is lost?",
                      wrong.name, -off)};
}

}  // namespace

diagnoses diagnose(const mismatch& wrong) {
  const auto& result = wrong.result;
  if (result.untouched == result.total) return {nothing_written(wrong)};
  if (auto found = by_value(wrong); !found.empty()) return found;
  if (auto found = by_position(wrong); !found.empty()) return found;
  if (result.total == 1 && has_values_before(wrong)) return {only_element(wrong)};
  if (result.wrong == result.total)
    return {{wrong_everywhere, "No element is right. Compute one element by hand: what does its thread read?"}};
  return {{scattered, std::string{"The wrong elements form no pattern that the judge knows. Compute the first one by "
                                  "hand: what does its thread read?"} +
                          may_be_a_race}};
}

diagnoses diagnose(const stray_store& store, const std::string& name, const array_shape& extents) {
  if (store.before) return {{negative_index, fmt::format("Some thread's index into `{}` is negative.", name)}};
  const diagnosis guard{missing_guard,
                        fmt::format("Threads beyond the end of `{}` store too. The grid has whole blocks, so each "
                                    "thread must check that its element exists.",
                                    name)};
  // One row too many reaches a row's length past the end, one column too many one element.
  const bool one_too_far = store.farthest <= static_cast<std::size_t>(extents.size() > 1 ? extents.back() + 1 : 1);
  if (!one_too_far) return {guard};
  return {{off_by_one, fmt::format("A store is just past the end of `{}`: a guard has <= instead of <, or an index is "
                                   "one too large.",
                                   name)},
          guard};
}

std::optional<diagnosis> as_large_as_an_input(const stray_store& store, const arguments& given,
                                              const std::vector<std::string>& parameters) {
  const auto& output = given[store.parameter];
  // The only row of a matrix reaches as far as an input's row for other reasons.
  if (store.before || output.shape.size() < 2 || std::ranges::min(output.shape) < 2) return std::nullopt;
  const auto stored = count(output.shape) + static_cast<std::int64_t>(store.farthest);
  for (std::size_t p = 0; p < given.size(); ++p)
    if (given[p].role == parameter_role::input && given[p].shape.size() == output.shape.size() &&
        count(given[p].shape) == stored)
      return diagnosis{
          wrong_index,
          fmt::format("The stores reach element {} of `{}`, as if it were as large as `{}`. Which extents "
                      "has `{}`, and how long is its row?",
                      stored - 1, parameters.at(store.parameter), parameters.at(p), parameters.at(store.parameter)),
          "", true};
  return std::nullopt;
}

bool counts_elements_as_bytes(const std::string& message, const arguments& given) {
  return std::ranges::any_of(given, [&](const argument& array) {
    const auto elements = static_cast<std::size_t>(count(array.shape));
    return array.role != parameter_role::scalar && elements > 0 && elements < array.size_bytes() &&
           message.find(fmt::format("(cudaMalloc, {} bytes)", elements)) != std::string::npos;
  });
}

diagnosis wrong_number_of_bytes(const std::string& what) {
  return {bytes_for_elements, what + " A size is in bytes: is it n * sizeof(int), or n alone?"};
}

diagnoses diagnose_launch(const std::string& error, const arguments& given) {
  const auto says = [&](std::string_view part) { return error.find(part) != std::string::npos; };
  if (counts_elements_as_bytes(error, given))
    return {wrong_number_of_bytes("An allocation has as many bytes as the array has elements.")};
  if (says("the copy's ") || says("InvalidMemcpyDirection"))
    return {
        {bad_copy,
         "CUDA refused a copy, and the launcher went on. Is its direction right? "
         "cudaMemcpyHostToDevice for an input, cudaMemcpyDeviceToHost for the result; the destination comes first."}};
  if (says("InvalidResourceHandle"))
    return {
        {bad_handle,
         "A call or a launch got a stream or an event that does not exist. Is it created before, and destroyed only "
         "after the last call that uses it?"}};
  if (says("host_pointer"))
    return {{host_pointer, "The kernel got a pointer to host memory. Pass it the pointers that cudaMalloc returned."}};
  if (says("IllegalAddress"))
    return {{missing_guard,
             "A thread accessed memory far outside its array. Most often that thread has no element of "
             "its own and needs a bounds guard, or an index uses the wrong extents."}};
  if (says("shared memory"))
    return {{bad_launch,
             "A block asks for more shared memory than it may have at this size. What is the third number "
             "in <<< >>>, and which kernel handles the sizes that do not fit?"}};
  if (says("InvalidValue"))
    return {
        {bad_launch,
         "CUDA refused an argument of a call, such as a size, a pointer, a flag, or the values in <<< >>>. Which call "
         "of the launcher does not do what you expect at this size?"}};
  if (!says("InvalidConfiguration")) return {};
  return {{bad_launch,
           "The launch configuration is invalid. A block has at most 1024 threads, and neither block nor "
           "grid is empty. What are they at this size? In <<<grid, block>>> the grid comes first."}};
}

}  // namespace lab::judge
