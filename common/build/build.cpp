#include "build/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "build/source_texts.hpp"
#include "build/toolchain.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "text/fingerprint.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

spawn_request compiler(std::vector<std::string> command, double timeout_s) {
  spawn_request r;
  r.arguments = std::move(command);
  r.environment = clean_environment({"HOME", "LAB_CXX"});
  r.memory_bytes = 8ull << 30;
  r.file_bytes = 128 << 20;
  r.cpu_seconds = static_cast<unsigned>(timeout_s) * 4 + 1;
  return r;
}

bool ran_out_of_room(const std::string& log) {
  for (const std::string_view sign : {"Killed signal", "virtual memory exhausted", "out of memory", "File size limit"})
    if (log.find(sign) != std::string::npos) return true;
  return false;
}

// No source makes a compiler's driver end by these signals: a scheduler or a person stopped it. A pass that is killed
// for its size is another matter, of which the driver tells. (bwrap exits with 128 + the signal.)
bool stopped_from_outside(const finished& end) {
  const auto ended_by = [&](int signal) {
    return (WIFSIGNALED(end.status) && WTERMSIG(end.status) == signal) ||
           (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 128 + signal);
  };
  return ended_by(SIGTERM) || ended_by(SIGKILL);
}

// So a driver tells that somebody stopped one of its passes; but a source can have it print that as well.
bool says_stopped(const finished& end) { return end.output.find("Terminated signal") != std::string::npos; }

build_result failure(const finished& end, double timeout_s) {
  build_result r{verdict_kind::compile_error, {}, end.output};
  if (!end.timed_out && !end.flooded && stopped_from_outside(end))
    return {verdict_kind::infra_error, {}, end.output + "\nthe compiler was stopped from outside"};
  if (end.timed_out) {
    r.log += fmt::format("\nthe compiler was stopped after {:g} s", timeout_s);
  } else if (end.flooded) {
    r.log += fmt::format("\nthe compiler was stopped: it had printed over {} MiB", most_output >> 20);
  } else if (!ran_out_of_room(end.output)) {
    return r;
  }
  r.verdict = verdict_kind::compile_limit;
  return r;
}

// Of a lab's folder the headers and nothing else: beside them may lie the teacher's own kernel.
needs needs_of(const build_request& r, const fs::path& writable) {
  needs all{.backend = r.backend, .compiles = true, .readable = {r.source}, .writable = writable};
  for (const auto& folder : r.include)
    for (const auto& file : fs::directory_iterator(folder))
      if (file.path().extension() == ".hpp") all.readable.push_back(file.path());
  return all;
}

// What a compiler that is killed leaves behind lies where it will be found. (A sandbox has a /tmp of its own.)
void keep_scratch_in(const fs::path& folder, spawn_request& r) {
  std::erase_if(r.environment, [](const std::string& variable) { return variable.starts_with("TMPDIR="); });
  r.environment.push_back("TMPDIR=" + folder.string());
}

// The compiler works in a folder of its own: the cache only takes in whole, regular files.
build_result compile(const build_request& r, std::vector<std::string> command, const fs::path& library) {
  const auto folder = fs::path{fmt::format("{}.{}.part", library.string(), getpid())};
  fs::create_directories(folder);
  const auto made = folder / "kernel.so";
  command.insert(command.end(), {"-o", made.string()});
  auto request = compiler(std::move(command), r.timeout_s);
  if (r.confine)
    request = r.confine(std::move(request), needs_of(r, folder));
  else
    keep_scratch_in(folder, request);
  auto end = run_program(request, r.timeout_s);
  if (!end.well() && says_stopped(end))
    end = run_program(request, r.timeout_s);  // what says so twice says so by itself
  const bool well = end.well() && fs::is_regular_file(fs::symlink_status(made));
  if (well) fs::rename(made, library);
  fs::remove_all(folder);
  return well ? build_result{verdict_kind::pass, library, end.output} : failure(end, r.timeout_s);
}

}  // namespace

void remove_abandoned_builds() {
  std::error_code none;
  for (const auto& e : fs::directory_iterator(here().build / "kernels", none)) {
    if (e.path().extension() != ".part") continue;
    const auto name = e.path().stem().string();  // KEY.so.PROCESS
    const auto maker = std::atoi(name.c_str() + name.rfind('.') + 1);
    if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH) fs::remove_all(e.path(), none);
  }
}

build_result build(const build_request& r) {
  std::error_code missing;
  if (!fs::is_regular_file(r.source, missing))
    return {verdict_kind::compile_error, {}, fmt::format("there is no file {}", r.source.string())};
  const auto command = compile_command(r);
  const auto key = fingerprint(fmt::format("{}\n{}\n{}\n{}", fmt::join(command, "\n"), toolchain_identity(r.backend),
                                           r.confine ? "confined" : "", texts_of(r.source, r.include, !r.confine)));
  const auto library = here().build / "kernels" / (key + (r.device_only ? ".cubin" : ".so"));
  if (fs::exists(library)) return {verdict_kind::pass, library, {}, true};
  try {
    return compile(r, command, library);
  } catch (const std::system_error& e) {
    return {verdict_kind::infra_error, {}, e.what()};
  }
}

}  // namespace lab::judge
