#pragma once

#include <functional>

#include "build/run_options.hpp"
#include "judge/session.hpp"
#include "protocol/launch_recording.hpp"

namespace lab::judge {

/// A kernel built twice from one source: with its host code, and its device code alone.
struct built_twice {
  std::filesystem::path library, device_code;
  bool untrusted =
      true;  ///< then it is not timed where kernels can reach the memory of the process that takes the time
};

/// What one call of a launcher had the device do, or why nobody can say.
struct recording_attempt {
  replay::launch_recording recording{};
  std::string why_not{};  ///< empty if the tape can be played
  bool forged = false;    ///< no honest runner makes such a tape
};

/// Calls the launcher once, in a runner of its own, and reads the tape that this runner makes.
recording_attempt record(const run_options& o, const std::filesystem::path& library, const test_case& t);

/// The tape at the end of what a runner left in its file, whose images take `images` bytes.
recording_attempt read_recording(std::span<const std::byte> file, std::uint64_t images);

/// What is played, and how.
struct replay_settings {
  const replay::launch_recording& recording;
  bool untrusted;
  double timeout_s;
};

/// Plays a tape on a trial's inputs. The runner must have the device code as its only library, so that no host code of
/// the kernel's author is in the process that takes the time. The call_result's ms is the device's time.
call_result replay(session& runs, const test_case& t, const replay_settings& p, unsigned number);

/// Milliseconds between the device's first operation and its last, L2 cold, every answer right; or why there are none.
struct kernel_times {
  std::vector<double> ms{};
  std::string why_not{};
  std::string summary{};  ///< of what the launcher does
  bool forged = false;
};

/// Which inputs: number 0 is recorded, those from 1 on are played. They may differ in everything but their scalars.
using test_cases = std::function<const test_case&(int number)>;

/// Fresh inputs for each number, from seeds after this one.
test_cases fresh_test_cases(const launcher_spec& c, const problem_size& s, std::uint64_t seed, oracle who);

/// Records once and plays `calls` + 1 times; the first of those is not counted.
kernel_times time_kernels(const run_options& o, const built_twice& kernel, memory_space where, int calls,
                          const test_cases& number);

/// Fresh inputs for a tape: the scalars are those that the tape was made with.
arguments with_scalars_of(const arguments& recorded, arguments fresh);

}  // namespace lab::judge
