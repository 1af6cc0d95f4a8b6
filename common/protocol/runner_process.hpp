#pragma once

#include <filesystem>
#include <stdexcept>

#include "lab/verdict.hpp"
#include "protocol/confinement.hpp"
#include "protocol/messages.hpp"
#include "support/memory_file.hpp"
#include "support/process.hpp"

namespace lab::judge {

/// A runner could not be started; the machine's fault, not the kernel's.
struct runner_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct runner_options {
  backend_kind backend = backend_kind::sim;
  int device = 0;
  std::vector<std::filesystem::path> libraries{};  ///< what a request's library numbers mean
  std::size_t memory_bytes = 8ull << 30;           ///< resident memory beyond which it is ended
  std::filesystem::path program{};                 ///< instead of the back end's own
  judge::confinement confine{};                    ///< none: it runs as this user
  std::vector<std::string> wrapper{};              ///< a tool's command that starts it; else LAB_RUNNER_WRAPPER
  int report = -1;                                 ///< a file in which the simulator leaves its report when it ends
  unsigned schedule = 0;                           ///< traced: which legal order of blocks and warps
};

/// What came of one request: `pass` only says that the runner answered that it is done.
struct outcome {
  verdict_kind verdict = verdict_kind::infra_error;
  std::string detail;  ///< one line, or a few
  protocol::reply reply{};
};

/// The program that runs kernels of this back end, whether or not it exists.
std::filesystem::path runner_program(backend_kind b);

/// A running lab-runner. Code of the student runs in it, so nothing it says but `done` is believed, and that only until
/// the outputs have been compared. After an outcome that is not `pass` it is of no further use.
class runner_process {
 public:
  /// Starts it and waits until its device is ready. @throws runner_failure
  explicit runner_process(const runner_options& o);
  runner_process(const runner_process&) = delete;
  runner_process& operator=(const runner_process&) = delete;
  ~runner_process();

  const protocol::device& device() const { return device_; }

  /// The process, leader of a group of its own.
  pid_t id() const { return child_.id(); }

  /// Sends a request with its files, or none, and waits for the answer, at most timeout_s seconds.
  outcome ask(protocol::request& r, const memory_file* in, const memory_file* out, double timeout_s);

  /// Lets it end by itself, so that it can write its report; kills it if it has not by then.
  void finish(double timeout_s);

  /// What the kernel printed, at most kept_output bytes.
  const std::string& output() const { return child_.output(); }

 private:
  enum class wait_end { message, hung_up, exited, timed_out, flooded, swollen };
  struct sockets {
    descriptor ours, theirs;
  };

  static sockets connected();
  runner_process(const runner_options& o, sockets s);
  void receive_greeting();
  void wait_for_end(double timeout_s);
  void stop();  // at once, unless a tool has something to write
  wait_end wait(double timeout_s, std::size_t memory_bytes);
  outcome explain(wait_end why, double timeout_s);
  outcome explain_end(bool hung_up);
  outcome read_reply(std::uint64_t nonce);

  runner_options options_;
  descriptor socket_;
  child child_;
  protocol::device device_{};
};

}  // namespace lab::judge
