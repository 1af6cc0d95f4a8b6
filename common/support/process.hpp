#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
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

/// How to start a child: a session of its own, stdin empty, stdout and stderr captured, every other descriptor closed.
struct spawn_request {
  std::vector<std::string> arguments{};    ///< the first is the program, looked up in PATH
  std::vector<std::string> environment{};  ///< "NAME=value", nothing is inherited
  std::filesystem::path folder{};          ///< to work in; empty for the caller's
  int third = -1, fourth = -1;             ///< become descriptors 3 and 4
  std::size_t memory_bytes = 0;            ///< limit of the address space, 0 for none
  std::size_t file_bytes = 0;              ///< limit of every file it writes, 0 for none
  unsigned cpu_seconds = 0;                ///< 0 for no limit
};

/// What captured output is kept and what is too much, in bytes.
constexpr std::size_t kept_output = 64 << 10, most_output = 8 << 20;

/// A child process and all that it starts; they end with this object, whatever happens, also when the judge is killed.
class child {
 public:
  /// @throws std::system_error
  explicit child(const spawn_request& r);
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child();

  pid_t id() const { return id_; }
  int output_descriptor() const { return output_.get(); }
  int exit_descriptor() const { return exit_.get(); }

  /// Takes what has been printed since; false at its end.
  bool read_output();
  const std::string& output() const { return text_; }
  bool printed_too_much() const { return printed_ > most_output; }

  /// The wait status once it has ended by itself; never waits.
  std::optional<int> ended();

  /// Kills it and its whole session.
  void kill();

 private:
  pid_t id_ = -1;
  descriptor output_, exit_;
  std::optional<int> status_;
  std::string text_;
  std::size_t printed_ = 0;
};

/// How a program that ran to its end, or to its limit, went.
struct finished {
  int status = 0;  ///< as waitpid reports it
  bool timed_out = false, flooded = false;
  std::string output;  ///< at most kept_output bytes
  bool well() const { return status == 0 && !timed_out && !flooded; }
};

/// Runs a program and waits for its end, or ends it at the limit.
finished run_program(const spawn_request& r, double timeout_s);

/// The environment of a child that needs no secrets: PATH and the like, and the named variables where they are set.
std::vector<std::string> clean_environment(const std::vector<std::string>& also);

/// "SIGSEGV" for the signal's number.
std::string signal_name(int number);

}  // namespace lab
