#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lab {

/// Owns a file descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_{number} {}
  descriptor(descriptor&& other) noexcept;
  descriptor& operator=(descriptor&& other) noexcept;
  ~descriptor();

  int get() const { return number_; }
  void close();
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// How to start a child. It gets a session of its own, an empty stdin, captured stdout and stderr, and no other open
/// descriptor.
struct spawn_request {
  std::vector<std::string> arguments{};    ///< the first is the program, searched in PATH
  std::vector<std::string> environment{};  ///< "NAME=value"; the child inherits nothing
  std::filesystem::path folder{};          ///< working directory; empty for the caller's
  int third = -1, fourth = -1;             ///< descriptors that become 3 and 4 in the child
  std::size_t memory_bytes = 0;            ///< limit of the address space, 0 for none
  std::size_t file_bytes = 0;              ///< limit of every file it writes, 0 for none
  unsigned cpu_seconds = 0;                ///< 0 for no limit
  std::vector<int> cores{};                ///< numbers of the only cores that it may use; empty for all
};

/// Bytes of captured output that are kept, and the limit beyond which a program is stopped.
constexpr std::size_t kept_output = 64 << 10, most_output = 8 << 20;

/// A child process and its descendants. They end with this object, and also when this process is killed.
class child {
 public:
  /// @throws std::system_error
  explicit child(const spawn_request& request);
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child();

  pid_t id() const { return id_; }
  int output_descriptor() const { return output_.get(); }
  int exit_descriptor() const { return exit_.get(); }

  /// Reads the available output; false at its end.
  bool read_output();
  const std::string& output() const { return text_; }
  bool printed_too_much() const { return printed_ > most_output; }

  /// The wait status if the child has ended by itself; does not wait.
  std::optional<int> ended();

  /// Kills the child and its process group.
  void kill();

 private:
  pid_t id_ = -1;
  descriptor output_, exit_;
  std::optional<int> status_;
  std::string text_;
  std::size_t printed_ = 0;
};

/// The result of a program that has ended or was stopped at a limit.
struct finished {
  int status = 0;  ///< as waitpid reports it
  bool timed_out = false, flooded = false;
  std::string output;  ///< at most kept_output bytes
  bool well() const { return status == 0 && !timed_out && !flooded; }
};

/// Runs a program and waits for its end; kills it at the limits of time or output. Time in which the program waits for
/// a core does not count, up to ten times the limit: a busy machine is no fault of a kernel's or a compiler's. A
/// program that `stop` ends has not ended well.
finished run_program(const spawn_request& request, double timeout_s, const std::stop_token& stop = {});

/// The environment for a child: LC_ALL=C, PATH, TMPDIR, LD_LIBRARY_PATH and the named variables, if they are set.
std::vector<std::string> clean_environment(const std::vector<std::string>& also);

/// The name of a signal's number: "SIGSEGV".
std::string signal_name(int number);

/// From now on the calling thread, and the programs that it starts, give way to others, as `nice` makes programs do.
void give_way(int nice);

}  // namespace lab
