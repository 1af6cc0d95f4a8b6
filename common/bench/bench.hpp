#pragma once

#include <nlohmann/json.hpp>

#include "bench/counts.hpp"
#include "bench/head_start.hpp"
#include "build/kernel_variant.hpp"
#include "build/run_options.hpp"
#include "judge/check.hpp"

namespace lab::judge {

struct samples {
  double median = 0, min = 0, p95 = 0;
  int count = 0;
};

struct peer_time {
  std::string name;
  double ms = 0;
  samples ratio{};  ///< the peer's time over ours, from interleaved pairs
  protocol::head_start head_start = protocol::head_start::none;
};

/// One launcher at one size: its counts on the simulator, its times in milliseconds, or both. Rates count the lab
/// definition's compulsory bytes and operations.
struct bench_row {
  std::string lab{}, variant{}, launcher{}, size{};
  verdict_kind verdict = verdict_kind::pass;  ///< a kernel is counted and timed only at sizes where it is right
  std::string message{};
  std::vector<kernel_counts> counted{};  ///< the kernel under test, then its rivals; empty if it was only timed
  std::string step_before{};             ///< the rival that it improves on; empty without one
  samples cold{};                        ///< on rotating sets of arguments, so that L2 holds none of them
  samples warm{};                        ///< on one set of arguments
  samples with_copies{};                 ///< with the transfers to and from the device
  double gbytes_per_s = 0, gflops = 0, of_ceiling = 0;
  double cpu_one_thread_ms = 0, cpu_all_threads_ms = 0, cpu_fast_ms = 0;  ///< 0 without such a program
  std::vector<peer_time> peers{};
  samples against_itself{};                                      ///< our own kernel as a peer: the noise of every ratio
  protocol::gpu_state gpu{};                                     ///< right after the cold runs
  protocol::head_start head_start = protocol::head_start::none;  ///< complete: no launch overhead in `cold`
  samples kernel_only{};                                         ///< the device's work alone, L2 cold, if requested
  std::string operations{};                                      ///< that work, or why it cannot be timed alone
};

struct bench_result {
  std::string date{}, backend{};  ///< UTC, ISO 8601
  /// The device's name, memory, multiprocessors and so on, the CPU, and the ceiling: measured GB/s of device memory.
  nlohmann::json device = nlohmann::json::object();
  std::vector<bench_row> rows{};
};

struct bench_options : run_options {
  bool alone = false;           ///< without any rival, also without the step before
  bool peers = false;           ///< also time the peers in solutions/NN_name/peers/*.cu, interleaved with ours
  bool cpu = true;              ///< also time the lab definition's CPU programs
  bool kernel_only = false;     ///< also time the device's work without the launcher's host code
  bool simulator_time = false;  ///< on the simulator, also measure wall times, which say nothing about a GPU
  int repeats = 21;
};

/// Checks the kernel at every size. On a GPU, times it at the lab's time sizes. On the simulator, counts its traffic;
/// with options.simulator_time, also measures wall time, at sizes that are too large only on request.
bench_result bench(const entry& lab, const kernel_variant& variant, const bench_options& options);

nlohmann::json to_json(const bench_result& result);
nlohmann::json to_json(const samples& times);

}  // namespace lab::judge
