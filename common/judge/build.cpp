#include "judge/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <system_error>

#include "judge/build_cache.hpp"
#include "judge/process.hpp"
#include "judge/toolchain.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

spawn_request compiler(std::vector<std::string> command, double timeout_s) {
  spawn_request r;
  r.arguments = std::move(command);
  r.environment = clean_environment({"HOME"});
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

build_result failure(const finished& end, double timeout_s) {
  build_result r{verdict::compile_error, {}, end.output};
  if (end.timed_out) {
    r.log += fmt::format("\nthe compiler was stopped after {:g} s", timeout_s);
  } else if (end.flooded) {
    r.log += fmt::format("\nthe compiler was stopped: it had printed over {} MiB", most_output >> 20);
  } else if (!ran_out_of_room(end.output)) {
    return r;
  }
  r.verdict = verdict::compile_limit;
  return r;
}

}  // namespace

build_result build(const build_request& r) {
  std::error_code missing;
  if (!fs::is_regular_file(r.source, missing))
    return {verdict::compile_error, {}, fmt::format("there is no file {}", r.source.string())};
  auto command = compile_command(r);
  const auto key = fingerprint(fmt::format("{}\n{}\n{}", fmt::join(command, "\n"), toolchain_identity(r.backend),
                                           texts_of(r.source, r.include)));
  const auto folder = here().build / "kernels";
  const auto library = folder / (key + ".so");
  if (fs::exists(library)) return {verdict::pass, library, {}, true};
  try {
    fs::create_directories(folder);
    // Under a name of its own first: another judge may be building the same kernel.
    const auto unfinished = folder / fmt::format("{}.{}.part.so", key, getpid());
    command.insert(command.end(), {"-o", unfinished.string()});
    const auto end = run(compiler(std::move(command), r.timeout_s), r.timeout_s);
    if (end.well()) fs::rename(unfinished, library);
    fs::remove(unfinished);
    if (!end.well()) return failure(end, r.timeout_s);
    return {verdict::pass, library, end.output};
  } catch (const std::system_error& e) {
    return {verdict::infra_error, {}, e.what()};
  }
}

}  // namespace lab::judge
