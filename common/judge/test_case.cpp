#include "judge/test_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "diagnosis/mismatch_message.hpp"
#include "judge/compare.hpp"
#include "judge/missing_terms.hpp"
#include "protocol/launcher_call.hpp"

namespace lab::judge {

namespace {

using bytes = std::span<const std::byte>;

constexpr double most_reference_work = 1e9;  // operations

const host_function& program(const launcher_spec& launcher, oracle who) {
  if (who == oracle::reference) return launcher.reference;
  return launcher.fast ? launcher.fast : launcher.all_threads ? launcher.all_threads : launcher.reference;
}

arguments computed(const launcher_spec& launcher, oracle who, arguments all) {
  allocate_outputs(all);
  program(launcher, who)(all);
  return all;
}

template <class T>
void make_absolute(argument& a) {
  for (T& value : a.as<T>()) value = std::abs(value);
}

// The reference of the inputs' absolute values bounds how much rounding can add up.
arguments magnitudes(const launcher_spec& launcher, oracle who, arguments all) {
  for (auto& a : all) {
    if (a.role == parameter_role::scalar) continue;
    if (a.type == element::f32) make_absolute<float>(a);
    if (a.type == element::f64) make_absolute<double>(a);
  }
  return computed(launcher, who, std::move(all));
}

std::string without_launcher(const launcher_spec& launcher, const std::string& detail) {
  return fmt::format(
      "The kernel compiles, but its launcher cannot be called ({}). It must be\n    {}\nCompare name and "
      "parameter types with lab.hpp.\n",
      detail, launcher.signature);
}

// The runtime's error by name, or, on the simulator, the kind that begins its second line.
verdict_kind verdict_of_error(const std::string& text) {
  const auto says = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  if (says("\nout_of_bounds:") || says("\nuse_after_free:")) return verdict_kind::out_of_bounds;
  if (says("\nmisaligned:") || says("cudaErrorMisalignedAddress")) return verdict_kind::misaligned;
  if (says("\ndivergent_barrier:") || says("\ninvalid_sync_mask:")) return verdict_kind::divergent_barrier;
  if (says("\nhost_pointer:")) return verdict_kind::launch_error;
  return says("cudaErrorIllegalAddress") ? verdict_kind::out_of_bounds : verdict_kind::launch_error;
}

// "cudaErrorX: what CUDA says of it\nlaunch_error: what happened": one line, because both tell of one mistake.
std::string in_one_line(const std::string& error) {
  constexpr std::string_view more = "\nlaunch_error: ";
  const auto name_ends = error.find(": "), at = error.find(more);
  if (at == std::string::npos || name_ends > at) return error;
  return error.substr(0, name_ends + 2) + error.substr(at + more.size());
}

// A launcher that refuses a size may leave the error of a call that told it that the size does not fit. It must not
// launch a kernel that CUDA refuses, or one that fails.
bool error_of_a_refusal(const std::string& text) {
  constexpr std::string_view accepted[] = {
      "cudaErrorInvalidValue:", "cudaErrorInvalidConfiguration:", "cudaErrorMemoryAllocation:",
      "cudaErrorLaunchOutOfResources:", "cudaErrorNotSupported:"};
  return std::ranges::any_of(accepted, [&](auto name) { return text.starts_with(name); }) &&
         text.find(" was not launched: ") == std::string::npos;
}

}  // namespace

oracle oracle_for(const launcher_spec& launcher, const problem_size& size) {
  return cost_at(launcher, size).operations > most_reference_work ? oracle::fastest : oracle::reference;
}

test_case::test_case(const launcher_spec& launcher, const lab::problem_size& size, std::uint64_t seed, inputs kind,
                     oracle who)
    : test_case{launcher, size, seed, kind, drawn(launcher, size, seed, kind), who} {}

test_case::test_case(const launcher_spec& launcher, const lab::problem_size& size, std::uint64_t seed, arguments given,
                     oracle who)
    : test_case{launcher, size, seed, inputs::real, std::move(given), who} {}

test_case::test_case(const launcher_spec& launcher, const lab::problem_size& size, std::uint64_t seed, inputs kind,
                     arguments given, oracle who)
    : launcher_{launcher},
      seed_{seed},
      kind_{kind},
      refusal_{launcher.refuses ? launcher.refuses(size) : ""},
      operations_{cost_at(launcher, size).operations},
      given_{std::move(given)} {
  layout_ = lay_out(given_);
  const bool exact = !launcher.floating || (kind == inputs::lattice && !launcher.allow.inexact_lattice);
  if (!exact) allow_ = launcher.allow;
  if (must_refuse()) return;
  expected_ = computed(launcher, who, given_);
  if (allow_.accumulated > 0) magnitude_ = magnitudes(launcher, who, given_);
  if (who == oracle::fastest) allow_.accumulated *= 2;  // its own rounding comes on top
}

protocol::request test_case::request(protocol::command what) const { return request_for(launcher_, layout_, what); }

memory_file test_case::arrays(unsigned number, bytes more) const {
  return initial_arrays(given_, layout_, (seed_ + number) * 0x9e3779b97f4a7c15, more);
}

std::vector<std::byte> test_case::answered(bytes before, const arguments& answer) const {
  std::vector<std::byte> after{before.begin(), before.end()};
  for (std::size_t p = 0; p < answer.size(); ++p) {
    const auto& slot = layout_.slots[p];
    if (slot.writes)
      std::ranges::copy(answer[p].bytes, after.begin() + static_cast<std::ptrdiff_t>(slot.offset + slot.guard));
  }
  return after;
}

call_result test_case::call(runner_process& runner, std::uint32_t library, unsigned number, double timeout_s,
                            arguments* outputs) const {
  const auto in = arrays(number), out = memory_file::writable(layout_.file_bytes);
  auto r = request(protocol::command::call);
  r.libraries[0] = library;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = runner.ask(r, &in, &out, timeout_s);
  if (outcome.verdict == verdict_kind::compile_error)
    return {outcome.verdict, without_launcher(launcher_, outcome.detail), {}, {}};
  if (outcome.verdict == verdict_kind::launch_error && must_refuse()) return judge_refusing_error(outcome.detail);
  if (outcome.verdict == verdict_kind::launch_error)
    return {verdict_of_error(outcome.detail),
            in_one_line(outcome.detail) + "\n",
            {},
            diagnose_launch(outcome.detail, given_)};
  if (outcome.verdict != verdict_kind::pass) return {outcome.verdict, outcome.detail + "\n", {}, {}};
  const auto after = copy_of(out);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  if (outputs) *outputs = arguments_after(given_, layout_, after.view());
  auto found = judge(in.view(), after.view());
  found.ms = taken.count();
  return found;
}

mismatch test_case::mismatch_for(std::size_t p, const comparison& compared, bytes before, bytes after) const {
  output_view view{given_[p].type, layout_.payload(p, after), layout_.payload(p, before), {}, {}};
  if (!must_refuse()) view.expected = expected_[p].bytes;
  if (!magnitude_.empty()) view.magnitude = magnitude_[p].bytes;
  return {launcher_.parameters[p],
          given_[p].shape,
          view,
          compared,
          given_,
          launcher_.parameters,
          launcher_.memory == memory_space::host};
}

call_result test_case::judge(bytes before, bytes after) const {
  if (const auto s = find_stray(layout_, before, after)) return judge_stray(*s, before, after);
  if (const auto p = find_modified_input(layout_, before, after))
    return {verdict_kind::input_modified,
            fmt::format("`{}` is an input, but its contents changed. Only outputs may be written.\n",
                        launcher_.parameters[*p]),
            {},
            {}};
  return must_refuse() ? judge_refusal(before, after) : judge_outputs(before, after);
}

call_result test_case::judge_stray(const stray_store& store, bytes before, bytes after) const {
  const auto& name = launcher_.parameters[store.parameter];
  const auto& shape = given_[store.parameter].shape;
  call_result inside = must_refuse() ? judge_refusal(before, after) : judge_outputs(before, after);
  const auto rest = inside.verdict == verdict_kind::pass ? "All elements inside the arrays are right.\n" : inside.what;
  auto why = diagnose(store, name, shape);
  if (auto large = as_large_as_an_input(store, given_, launcher_.parameters))
    why.insert(why.begin(), std::move(*large));
  return {.verdict = verdict_kind::out_of_bounds,
          .what = describe(store, name, shape) + rest,
          .picture = inside.picture,
          .why = std::move(why),
          .map = inside.map};
}

call_result test_case::judge_refusing_error(const std::string& detail) const {
  if (error_of_a_refusal(detail)) return {};
  return {verdict_of_error(detail),
          fmt::format("The launcher must refuse this size before it launches a kernel: {}.\n{}\n", refusal_, detail),
          {},
          diagnose_launch(detail)};
}

call_result test_case::judge_refusal(bytes before, bytes after) const {
  for (std::size_t p = 0; p < given_.size(); ++p)
    if (layout_.slots[p].writes && !std::ranges::equal(layout_.payload(p, before), layout_.payload(p, after)))
      return {verdict_kind::wrong_answer,
              fmt::format("The launcher must refuse this size and leave `{}` alone: {}.\n", launcher_.parameters[p],
                          refusal_),
              {},
              {}};
  return {};
}

std::optional<std::pair<std::size_t, comparison>> test_case::wrong_output(bytes before, bytes after) const {
  for (std::size_t p = 0; p < given_.size(); ++p) {
    if (!layout_.slots[p].writes) continue;
    const auto result = compare(mismatch_for(p, {}, before, after).view, allow_);
    if (result.wrong > 0) return std::pair{p, result};
  }
  return std::nullopt;
}

bool test_case::accepts(bytes before, bytes after) const {
  if (must_refuse() || find_stray(layout_, before, after) || find_modified_input(layout_, before, after))
    return judge(before, after).verdict == verdict_kind::pass;
  return !wrong_output(before, after);
}

call_result test_case::judge_outputs(bytes before, bytes after) const {
  const auto found = wrong_output(before, after);
  if (!found) return {};
  const auto& [p, result] = *found;
  const auto e = mismatch_for(p, result, before, after);
  const bool sporadic = result.wrong * 4 < result.total && result.untouched * 2 < result.wrong;
  auto why = diagnose(e);
  using enum diagnosis_kind;
  const auto guess = why.front().kind;
  if (guess == wrong_everywhere || guess == scattered || guess == zeros)
    for (const auto explained : {judge::missing_terms, judge::transposed_input})
      if (auto better = explained(launcher_, e, p, allow_, operations_)) why.insert(why.begin(), std::move(*better));
  return {.verdict = verdict_kind::wrong_answer,
          .what = first_mismatch(e),
          .picture = picture(e),
          .why = std::move(why),
          .sporadic = sporadic,
          .map = map_of(e)};
}

}  // namespace lab::judge
