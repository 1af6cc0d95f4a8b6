#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lab::judge {

namespace {

using clock = std::chrono::steady_clock;
constexpr double measure_timeout_s = 240;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool in_place(const arguments& values) {
  return std::ranges::any_of(values, [](const argument& argument) { return argument.role == parameter_role::in_out; });
}

double run_once(const host_function& program, arguments& values) {
  const auto begin = clock::now();
  program(values);
  return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

}  // namespace

samples summary(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return {};
  std::ranges::sort(milliseconds);
  const auto last = static_cast<double>(milliseconds.size() - 1);
  const auto p95 = static_cast<std::size_t>(std::ceil(0.95 * last));
  return {median(milliseconds), milliseconds.front(), milliseconds[p95], static_cast<int>(milliseconds.size())};
}

samples ratios(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    if (ours[i] > 0) values.push_back(theirs[i] / ours[i]);
  return summary(values);
}

measurement measure(runner_process& runner, const test_case& test, const measurement_plan& plan, double timeout_s) {
  const auto in = test.arrays(plan.repeats), out = memory_file::writable(test.where().file_bytes);
  auto request = test.request(plan.what);
  request.library_count = static_cast<std::uint32_t>(plan.libraries.size());
  std::ranges::copy(plan.libraries, request.libraries);
  request.repeats = plan.repeats;
  request.copies = plan.copies;
  request.with_copies = plan.with_copies;
  request.rest_us = static_cast<std::uint32_t>(1e3 * plan.rest_ms);
  const auto ended = runner.ask(request, &in, &out, timeout_s);
  measurement result;
  if (ended.verdict != verdict_kind::pass) {
    result.ended = true;
    result.found = {ended.verdict, ended.detail + "\n", {}, {}};
    return result;
  }
  for (std::size_t library = 0; library < plan.libraries.size(); ++library)
    result.milliseconds.emplace_back(ended.answer.milliseconds[library],
                                     ended.answer.milliseconds[library] + ended.answer.samples);
  result.gpu = ended.answer.gpu;
  result.head_starts.assign(ended.answer.head_starts, ended.answer.head_starts + plan.libraries.size());
  for (const auto& times : result.milliseconds)
    if (!std::ranges::all_of(times, [](double ms) { return ms >= 0 && std::isfinite(ms); }))
      result.found = {verdict_kind::protocol_violation, "it reported a time that is not a valid number\n", {}, {}};
  // An array that is updated in place has no expected value after many calls.
  if (result.found.verdict == verdict_kind::pass && !in_place(test.given()))
    result.found = test.judge(in.view(), copy_of(out).view());
  if (result.found.verdict == verdict_kind::wrong_answer) result.found.verdict = verdict_kind::nondeterministic;
  return result;
}

measurement measure(session& calls, const test_case& test, const measurement_plan& plan) {
  auto result = measure(calls.runner(), test, plan, measure_timeout_s);
  if (result.ended) calls.drop_runner();
  return result;
}

double measure_ceiling(session& calls, std::uint64_t bytes, unsigned repeats) {
  protocol::request request{};
  request.what = protocol::command::ceiling;
  request.repeats = repeats;
  request.file_bytes = bytes;
  const auto ended = calls.runner().ask(request, nullptr, nullptr, measure_timeout_s);
  if (ended.verdict != verdict_kind::pass) {
    calls.drop_runner();
    return 0;
  }
  const double ms = median({ended.answer.milliseconds[0], ended.answer.milliseconds[0] + ended.answer.samples});
  return ms > 0 ? 2.0 * static_cast<double>(bytes) / ms / 1e6 : 0;
}

double time_on_cpu(const host_function& program, const arguments& given) {
  if (!program) return 0;
  auto values = given;
  allocate_outputs(values);
  const double warm_up = run_once(program, values);
  if (warm_up > 3000) return warm_up;
  std::vector<double> milliseconds;
  for (int i = 0; i < 3; ++i) milliseconds.push_back(run_once(program, values));
  return median(milliseconds);
}

}  // namespace lab::judge
