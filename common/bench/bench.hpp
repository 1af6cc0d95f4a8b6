#pragma once

#include "build/kernel_variant.hpp"
#include "build/run_options.hpp"
#include "judge/check.hpp"
#include "protocol/messages.hpp"

namespace lab::judge {

struct samples {
  double median = 0, min = 0, p95 = 0;
  int count = 0;
};

struct peer_time {
  std::string name;
  double ms = 0;
  samples ratio{};  ///< peer's time over ours, of the interleaved pairs
};

/// One launcher of one kernel at one size. Times in milliseconds; rates count the card's compulsory bytes and
/// operations.
struct bench_row {
  std::string lab{}, variant{}, launcher{}, size{};
  verdict_kind verdict = verdict_kind::pass;  ///< only what was checked at this size is timed
  std::string message{};
  /// The kernel alone on rotating buffers, so that L2 holds none of its data; on one buffer; with its copies.
  samples cold{}, warm{}, with_copies{};
  double gbytes_per_s = 0, gflops = 0, of_ceiling = 0;
  double cpu_one_thread_ms = 0, cpu_all_threads_ms = 0, cpu_fast_ms = 0;  ///< 0 if there is none
  std::vector<peer_time> peers{};
  samples against_itself{};   ///< our own kernel once more among the peers: the noise under every ratio
  protocol::gpu_state gpu{};  ///< right after the cold runs
  bool head_start = false;    ///< of the device, so that `cold` does not hold the host's launches
  samples kernel_only{};      ///< the device's work alone, L2 cold, if it was asked for
  std::string operations{};   ///< what that work is, or why it cannot be timed alone
};

struct bench_result {
  std::string date{}, backend{};  ///< UTC, ISO 8601
  /// Name, memory, multiprocessors and so on, the CPU, and the measured ceiling of device memory in GB/s.
  nlohmann::json device = nlohmann::json::object();
  std::vector<bench_row> rows{};
};

struct bench_options : run_options {
  bool peers = false;        ///< also time the peers in solutions/NN_name/peers/*.cu, interleaved with ours
  bool cpu = true;           ///< also time the card's CPU baselines
  bool kernel_only = false;  ///< also time the device's work without the launcher's host code
  int repeats = 21;
};

/// Checks the kernel at every time size, then times it. Sizes too large for a simulator run only when asked for by
/// name.
bench_result bench(const entry& lab, const kernel_variant& which, const bench_options& o);

nlohmann::json to_json(const bench_result& r);

}  // namespace lab::judge
