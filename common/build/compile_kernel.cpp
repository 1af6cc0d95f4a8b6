#include "build/compile_kernel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "build/launch_columns.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 128 << 20, most_untrusted_bytes = 32 << 20;

spawn_request compiler(std::vector<std::string> command, double timeout_s, bool confined) {
  spawn_request request;
  request.arguments = std::move(command);
  request.environment = clean_environment({"HOME", "LAB_CXX"});
#ifndef __SANITIZE_ADDRESS__  // labcc is sanitized then, and AddressSanitizer reserves terabytes of addresses
  request.memory_bytes = 8ull << 30;
#endif
  request.file_bytes = confined ? most_untrusted_bytes : most_bytes;
  request.cpu_seconds = static_cast<unsigned>(timeout_s) * 4 + 1;
  return request;
}

bool names_a_compiler(std::string_view program) {
  program = program.substr(program.rfind('/') + 1);
  for (const std::string_view name : {"g++", "c++", "cc1plus", "as", "ld", "collect2", "clang", "nvcc", "cicc", "ptxas",
                                      "labcc", "lab-confine", "sh"})
    if (program == name || (program.starts_with(name) && program[name.size()] == '-')) return true;
  return program.ends_with("-g++") || program.find("-g++-") != program.npos;
}

// Only the compiler's own programs begin a line with their name: what they repeat of a source follows its file's name.
bool a_compiler_says(const std::string& log, std::initializer_list<std::string_view> messages) {
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);)
    if (names_a_compiler(std::string_view{line}.substr(0, line.find(':'))) &&
        std::ranges::any_of(messages, [&](std::string_view message) { return line.find(message) != line.npos; }))
      return true;
  return false;
}

bool ran_out_of_room(const std::string& log) {
  return a_compiler_says(log, {"Killed signal", "virtual memory exhausted", "out of memory", "File size limit"});
}

// For the moment this machine has no room for another process or thread.
bool lacked_processes(const finished& end) {
  return !end.well() && a_compiler_says(end.output, {std::strerror(EAGAIN), "Cannot fork"});
}

// Whether a message is about a line of a source (k.cu:3:5), which can make a compiler print any text.
bool is_about_a_source(const std::string& log) {
  for (auto at = log.find(':'); at != log.npos; at = log.find(':', at + 1)) {
    const auto end = log.find_first_not_of("0123456789", at + 1);
    if (end != log.npos && end > at + 1 && log[end] == ':') return true;
  }
  return false;
}

// No source makes a compiler's driver end by these signals: a scheduler or a person stopped it. If a pass of the
// compiler is killed for its memory, the driver itself goes on and reports it. (bwrap exits with 128 + signal.)
bool stopped_from_outside(const finished& end) {
  const auto ended_by = [&](int signal) {
    return (WIFSIGNALED(end.status) && WTERMSIG(end.status) == signal) ||
           (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 128 + signal);
  };
  return ended_by(SIGTERM) || ended_by(SIGKILL);
}

// The driver prints this if one of its passes was stopped, but a source can make it print the same.
bool says_stopped(const finished& end) { return end.output.find("Terminated signal") != std::string::npos; }

// Waits as long as the compiler itself may take, or 10 s, for processes of others to end.
finished run_when_possible(const spawn_request& command, double timeout_s, const std::stop_token& stop) {
  auto end = run_program(command, timeout_s, stop);
  double waited_s = 0;
  for (double pause_s = 0.1; lacked_processes(end) && waited_s < std::min(timeout_s, 10.0); pause_s *= 2) {
    std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
    waited_s += pause_s;
    end = run_program(command, timeout_s, stop);
  }
  return end;
}

// labcc's exit status for code whose accesses cannot be counted. No message of a compiler makes it exit so.
constexpr int uncountable_status = 12;

build_result failure(const finished& end, double timeout_s, bool confined) {
  build_result result{verdict_kind::compile_error, {}, end.output};
  if (!end.timed_out && WIFEXITED(end.status) && WEXITSTATUS(end.status) == uncountable_status)
    return {verdict_kind::rejected, {}, end.output};
  if (!confined && end.output.find("No space left on device") != std::string::npos)
    return {verdict_kind::infra_error,
            {},
            end.output + "\nthe disk is full; free some space on it, then repeat the command\n"};
  if (lacked_processes(end) && !is_about_a_source(end.output))
    return {verdict_kind::infra_error, {}, end.output + "\nthis machine had no room for the compiler's processes"};
  if (!end.timed_out && !end.flooded && stopped_from_outside(end))
    return {verdict_kind::infra_error, {}, end.output + "\nanother process stopped the compiler"};
  if (end.timed_out) {
    result.log += fmt::format("\nthe compiler was stopped after {:g} s", timeout_s);
  } else if (end.flooded) {
    result.log += fmt::format("\nthe compiler was stopped because it printed more than {} MiB", most_output >> 20);
  } else if (!ran_out_of_room(end.output)) {
    return result;
  }
  result.verdict = verdict_kind::compile_limit;
  return result;
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// "kernel.cu:16" instead of the whole path, for the kernel and its headers: the message names the folder once.
std::string with_short_paths(std::string log, const build_request& request) {
  replace_all(log, (request.source.parent_path() / "").string(), "");
  for (const auto& folder : request.include) replace_all(log, (folder / "").string(), "");
  return log;
}

// Only the headers of a lab's folder are readable, because the teacher's own kernel may lie beside them; and those for
// device code, which the labs share.
needs needs_of(const build_request& request, const fs::path& writable) {
  needs needed{.backend = request.backend, .compiles = true, .readable = {request.source}, .writable = writable};
  for (const auto& include : request.include)
    for (const auto& folder : {include, include.parent_path() / "device"}) {
      if (!fs::is_directory(folder)) continue;
      for (const auto& file : fs::directory_iterator(folder))
        if (file.path().extension() == ".hpp") needed.readable.push_back(file.path());
    }
  return needed;
}

// A killed compiler leaves its temporary files in a folder that remove_abandoned_builds() finds. (A sandbox has its own
// /tmp.)
void keep_temporary_files_in(const fs::path& folder, spawn_request& request) {
  std::erase_if(request.environment, [](const std::string& variable) { return variable.starts_with("TMPDIR="); });
  request.environment.push_back("TMPDIR=" + folder.string());
}

// The file of an equal build that was faster stays: a sandbox that opened it for a runner refuses another one of the
// same name.
void move_into_place(const fs::path& file, const fs::path& library) {
  std::error_code exists;
  fs::create_hard_link(file, library, exists);
  if (exists && !fs::exists(library)) return fs::rename(file, library);  // a file system without links
  fs::remove(file);
}

// A copy of the sandbox's file that belongs to this user, so that no untrusted program can change it later.
void take_over(const fs::path& compiled, const fs::path& library) {
  const auto copy = fs::path{fmt::format("{}.copy.{}.part", library.string(), getpid())};
  const descriptor from{open(compiled.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)},
      to{open(copy.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0755)};
  const auto fail = [&] { throw write_error(library, {errno, std::generic_category()}); };
  if (!from || !to) fail();
  for (ssize_t sent = 1; sent > 0;)
    if (sent = sendfile(to.get(), from.get(), nullptr, most_untrusted_bytes); sent < 0) fail();
  fchmod(to.get(), 0755);
  move_into_place(copy, library);
}

}  // namespace

fs::path log_of(const fs::path& library) { return fs::path{library}.concat(".log"); }

// The compiler writes to a folder of its own, so that the cache takes only complete, regular files.
build_result compile_kernel(const build_request& request, std::vector<std::string> command, const fs::path& library) {
  const auto folder = fs::path{fmt::format("{}.{}.part", library.string(), getpid())};
  std::error_code unwritable;
  fs::create_directories(folder, unwritable);
  if (unwritable) throw write_error(folder, unwritable);
  const auto compiled = folder / "kernel.so";
  if (!request.strict) command.insert(command.end(), {"-o", compiled.string()});
  const auto lock = lock_of(folder);
  auto command_line = compiler(std::move(command), request.timeout_s, static_cast<bool>(request.confine));
  if (request.confine)
    command_line = request.confine(std::move(command_line), needs_of(request, folder));
  else
    keep_temporary_files_in(folder, command_line);
  auto end = run_when_possible(command_line, request.timeout_s, request.stop);
  if (!end.well() && says_stopped(end))
    end =
        run_program(command_line, request.timeout_s, request.stop);  // a source that prints the message prints it again
  end.output = with_short_paths(std::move(end.output), request);
  if (!request.strict && request.backend == backend_kind::sim) end.output = with_columns_of_launches(end.output);
  if (request.strict && WIFEXITED(end.status) && WEXITSTATUS(end.status) <= 1) {
    std::ofstream{compiled} << end.output;
    end.status = 0;
  }
  const bool succeeded = end.well() && fs::is_regular_file(fs::symlink_status(compiled));
  if (succeeded && !end.output.empty()) write_atomically(log_of(library), end.output);
  if (succeeded && request.confine)
    take_over(compiled, library);
  else if (succeeded)
    move_into_place(compiled, library);
  fs::remove_all(folder);
  return succeeded ? build_result{verdict_kind::pass, library, end.output}
                   : failure(end, request.timeout_s, static_cast<bool>(request.confine));
}

}  // namespace lab::judge
