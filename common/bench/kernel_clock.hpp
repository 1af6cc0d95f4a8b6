#pragma once

#include <functional>

#include "build/run_options.hpp"
#include "judge/session.hpp"
#include "protocol/launch_recording.hpp"

namespace lab::judge {

/// A kernel's two builds: with its host code, and its device code alone.
struct built_twice {
  std::filesystem::path library, device_code;
  bool untrusted = true;  ///< not timed on a machine where kernels can access the memory of the timing process
};

/// The operations of one launcher call, or why there are none.
struct recording_attempt {
  replay::launch_recording recording{};
  std::string why_not{};  ///< empty if it can be replayed
  bool forged = false;    ///< no honest runner makes this recording
};

/// Calls the launcher once, in a runner of its own, and reads that runner's recording.
recording_attempt record(const run_options& options, const std::filesystem::path& library, const test_case& test);

/// Reads the recording behind the `array_bytes` bytes of guarded arrays in a runner's file.
recording_attempt read_recording(std::span<const std::byte> file, std::uint64_t array_bytes);

struct replay_settings {
  const replay::launch_recording& recording;
  bool untrusted;
  double timeout_s;
};

/// Replays a recording on the inputs of a test case. The runner's only library must be the device code, so that no host
/// code of the kernel's author is in the timing process. The result's ms is the device's time.
call_result replay(session& calls, const test_case& test, const replay_settings& settings, unsigned number);

/// Milliseconds from the device's first operation to its last, with L2 cold and every output right; or why there are
/// none.
struct kernel_times {
  std::vector<double> ms{};
  std::string why_not{};
  std::string summary{};  ///< of the launcher's operations
  bool forged = false;
};

/// The test case of each call: 0 is recorded, those from 1 on are replayed. They differ in all inputs except scalars.
using test_cases = std::function<const test_case&(int number)>;

/// Test cases with new inputs for each number, from the seeds that follow this one.
test_cases fresh_test_cases(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed,
                            oracle expected_by);

/// Records once and replays `calls` + 1 times; the first replay is not counted.
kernel_times time_kernels(const run_options& options, const built_twice& kernel, memory_space memory, int calls,
                          const test_cases& test_case_of);

/// New inputs for a replay, with the scalars of the recorded call.
arguments with_scalars_of(const arguments& recorded, arguments fresh);

}  // namespace lab::judge
