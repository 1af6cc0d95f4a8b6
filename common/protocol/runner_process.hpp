#pragma once

#include <filesystem>
#include <stdexcept>

#include "lab/verdict.hpp"
#include "protocol/confinement.hpp"
#include "protocol/messages.hpp"
#include "support/memory_file.hpp"
#include "support/process.hpp"

namespace lab::judge {

/// A runner could not be started. The cause is the machine, not the kernel.
struct runner_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct runner_options {
  backend_kind backend = backend_kind::sim;
  int device = 0;
  std::vector<std::filesystem::path> libraries{};  ///< a request names them by number
  std::size_t memory_bytes = 8ull << 30;           ///< its limit of resident memory
  std::filesystem::path program{};                 ///< in place of the back end's own runner
  confinement confine{};                           ///< empty: it runs as this user
  std::vector<std::string> wrapper{};              ///< a tool's command in front of it; empty for LAB_RUNNER_WRAPPER
  int report = -1;                                 ///< a file for the simulator's report, which it writes at its end
  bool only_coverage = false;                      ///< the report names the places that ran, and no more
  double kernel_limit_s = 0;                       ///< traced: ends a kernel after this time, with a report; 0: never
  double sample = 0;                               ///< the fraction of each grid's blocks that runs; 0: all
  std::vector<std::uint64_t> sampled_blocks{};     ///< so many blocks of the sample run, for each launch
  unsigned schedule = 0;                           ///< traced: the number of a legal order of blocks and warps
};

/// The outcome of one request. `pass` only means that the runner replied `done`.
struct outcome {
  verdict_kind verdict = verdict_kind::infra_error;
  std::string detail;  ///< one or a few lines
  protocol::reply answer{};
};

/// The runner of this back end; the file may not exist.
std::filesystem::path runner_program(backend_kind backend);

/// A running lab-runner. The student's code runs in it, so the judge trusts no message of it: outputs are compared
/// after `done`, too. After an outcome other than `pass` the runner cannot be used again.
class runner_process {
 public:
  /// Starts the runner and waits until its device is ready. @throws runner_failure
  explicit runner_process(const runner_options& options);
  runner_process(const runner_process&) = delete;
  runner_process& operator=(const runner_process&) = delete;
  ~runner_process();

  const protocol::device_properties& device() const { return device_; }

  /// The process, which leads its own process group.
  pid_t id() const { return child_.id(); }

  /// Sends a request, with or without its two files, and waits for the reply for at most timeout_s seconds. Time in
  /// which the runner waits for a core does not count, up to twice the CPU time that its cores have in timeout_s.
  outcome ask(protocol::request& request, const memory_file* in, const memory_file* out, double timeout_s);

  /// Closes the connection and waits for the runner to end, so that it can write its report; kills it after timeout_s.
  void finish(double timeout_s);

  /// The kernel's printed output, at most kept_output bytes.
  const std::string& output() const { return child_.output(); }

 private:
  enum class wait_end {
    message,
    disconnected,
    exited,
    timed_out,
    over_cpu_limit,
    over_output_limit,
    over_memory_limit
  };
  struct sockets {
    descriptor ours, theirs;
  };

  static sockets connected();
  runner_process(const runner_options& options, sockets pair);
  void receive_greeting();
  void wait_for_end(double timeout_s);
  void stop();  // at once, or after a tool around the runner has written its report
  wait_end wait(double timeout_s, std::size_t memory_bytes);
  outcome explain(wait_end why, double timeout_s);
  outcome explain_end(bool disconnected);
  outcome read_reply(std::uint64_t nonce);

  runner_options options_;
  descriptor socket_;
  child child_;
  protocol::device_properties device_{};
};

}  // namespace lab::judge
