#include "bench/kernel_clock.hpp"

#include <fmt/format.h>

#include <cmath>

#include "build/run_options.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

namespace {

double timeout_for(const run_options& options, const test_case& test) {
  return options.timeout_s + 5 +
         static_cast<double>(test.where().file_bytes / 200'000'000);  // plus the time to copy the arrays
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Why a replay does not count: its outputs are wrong, or it cannot run.
std::string objection_to(const call_result& result) {
  if (result.verdict == verdict_kind::pass) return "";
  if (result.verdict == verdict_kind::skipped) return first_line(result.what);
  return fmt::format("its device code without its host code gets {}: {}", word(result.verdict),
                     first_line(result.what));
}

}  // namespace

recording_attempt read_recording(std::span<const std::byte> file, std::uint64_t array_bytes) {
  try {
    auto recording = replay::from_bytes(file.subspan(array_bytes));
    if (recording.array_bytes != array_bytes) throw replay::malformed("its arrays have another size");
    return {.recording = std::move(recording)};
  } catch (const replay::malformed& error) {
    return {.why_not = fmt::format("its launch recording is invalid: {}", error.what()), .forged = true};
  }
}

recording_attempt record(const run_options& options, const std::filesystem::path& library, const test_case& test) {
  const auto array_bytes = test.where().file_bytes;
  const auto in = test.arrays(1), out = memory_file::writable(array_bytes + replay::most_bytes);
  auto request = test.request(protocol::command::record);
  request.recording_bytes = replay::most_bytes;
  session calls{options, {library}};
  const auto end = calls.runner().ask(request, &in, &out, timeout_for(options, test));
  if (end.verdict == verdict_kind::protocol_violation) return {.why_not = end.detail, .forged = true};
  if (end.verdict != verdict_kind::pass)
    return {.why_not = fmt::format("recording it gets {}: {}", word(end.verdict), first_line(end.detail))};
  if (!end.detail.empty()) return {.why_not = first_line(end.detail)};
  return read_recording(copy_of(out).view(), array_bytes);
}

call_result replay(session& calls, const test_case& test, const replay_settings& settings, unsigned number) {
  const auto bytes = replay::to_bytes(settings.recording);
  const auto in = test.arrays(number, bytes), out = memory_file::writable(test.where().file_bytes);
  auto request = test.request(protocol::command::replay);
  request.recording_bytes = bytes.size();
  request.untrusted = settings.untrusted;
  const auto end = calls.runner().ask(request, &in, &out, settings.timeout_s);
  if (end.verdict != verdict_kind::pass) {
    calls.drop_runner();
    return {end.verdict, end.detail, {}, {}};
  }
  if (!end.detail.empty()) return {verdict_kind::skipped, end.detail, {}, {}};
  auto result = test.judge(in.view().first(test.where().file_bytes), copy_of(out).view());
  result.ms = end.answer.milliseconds[0][0];
  if (end.answer.samples != 1 || !std::isfinite(result.ms) || result.ms <= 0)
    return {verdict_kind::infra_error, "the runner reported no valid time", {}, {}};
  return result;
}

test_cases fresh_test_cases(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed,
                            oracle expected_by) {
  struct latest_case {
    arguments recorded;
    std::unique_ptr<test_case> now;
  };
  return
      [&launcher, size, seed, expected_by, latest = std::make_shared<latest_case>()](int number) -> const test_case& {
        auto given = drawn(launcher, size, seed + static_cast<unsigned>(number), inputs::real);
        if (number == 0)
          latest->recorded = given;
        else
          given = with_scalars_of(latest->recorded, std::move(given));
        latest->now.reset();  // before the next one is allocated
        latest->now = std::make_unique<test_case>(launcher, size, seed + static_cast<unsigned>(number),
                                                  std::move(given), expected_by);
        return *latest->now;
      };
}

kernel_times time_kernels(const run_options& options, const built_twice& kernel, memory_space memory, int calls,
                          const test_cases& test_case_of) {
  if (options.backend == backend_kind::sim) return {.why_not = "the simulator has no GPU time to measure"};
  if (kernel.device_code.empty()) return {.why_not = "its device code does not compile alone"};
  if (memory == memory_space::host) return {.why_not = "the launcher copies its arrays itself"};
  try {
    const auto known = record(options, kernel.library, test_case_of(0));
    if (!known.why_not.empty()) return {.why_not = known.why_not, .forged = known.forged};
    kernel_times times{.summary = replay::summary(known.recording)};
    session replays{options, {kernel.device_code}};
    for (int call = 0; call <= calls; ++call) {
      const auto& test = test_case_of(call + 1);
      const auto result = replay(replays, test, {known.recording, kernel.untrusted, timeout_for(options, test)},
                                 static_cast<unsigned>(call));
      if (result.verdict != verdict_kind::pass) return {.why_not = objection_to(result), .summary = times.summary};
      if (call > 0) times.ms.push_back(result.ms);
    }
    return times;
  } catch (const runner_failure& error) {
    return {.why_not = first_line(error.what())};
  }
}

arguments with_scalars_of(const arguments& recorded, arguments fresh) {
  for (std::size_t parameter = 0; parameter < fresh.size(); ++parameter)
    if (fresh[parameter].role == parameter_role::scalar) fresh[parameter].bytes = recorded[parameter].bytes;
  return fresh;
}

}  // namespace lab::judge
