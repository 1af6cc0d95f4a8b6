#include "build/kernel_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

#include "build/compile_kernel.hpp"
#include "build/device_code.hpp"
#include "build/source_texts.hpp"
#include "build/toolchain.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

using file_clock = fs::file_time_type::clock;

constexpr auto surely_locked = std::chrono::seconds{10};  // a folder is locked soon after it is made
constexpr auto in_use = std::chrono::minutes{15};

fs::file_time_type time_of(const fs::path& file) {
  std::error_code gone;
  const auto time = fs::last_write_time(file, gone);
  return gone ? file_clock::now() : time;
}

bool has_ended(const std::string& name) {  // KEY.so.PROCESS
  const auto builder = std::atoi(name.c_str() + name.rfind('.') + 1);
  return builder > 0 && kill(builder, 0) != 0 && errno == ESRCH;
}

struct cached_file {
  fs::path path;
  fs::file_time_type time;
  std::uintmax_t bytes;
};

std::vector<cached_file> cached_files() {
  std::vector<cached_file> all;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(here().cache / "kernels", ignored))
    if (entry.is_regular_file(ignored)) all.push_back({entry.path(), time_of(entry.path()), entry.file_size(ignored)});
  std::ranges::sort(all, {}, &cached_file::time);
  return all;
}

}  // namespace

fs::path cached_file_of(const std::string& key, std::string_view extension) {
  return here().cache / "kernels" / fmt::format("{}{}", key, extension);
}

void mark_as_used(const fs::path& file) {
  std::error_code unwritable;
  fs::last_write_time(file, file_clock::now(), unwritable);
}

// A process number may belong to another process by now; the lock of a killed process is free in any case.
void remove_abandoned_builds() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(here().cache / "kernels", ignored)) {
    if (entry.path().extension() != ".part") continue;
    if (!has_ended(entry.path().stem().string()) && file_clock::now() - time_of(entry.path()) < surely_locked) continue;
    if (const auto lock = lock_of(entry.path())) fs::remove_all(entry.path(), ignored);
  }
}

void trim_cache(std::uintmax_t most_bytes) {
  const auto files = cached_files();
  auto bytes = std::accumulate(files.begin(), files.end(), std::uintmax_t{0},
                               [](std::uintmax_t sum, const cached_file& file) { return sum + file.bytes; });
  std::error_code ignored;
  for (const auto& file : files) {
    if (bytes <= most_bytes || file_clock::now() - file.time < in_use) return;
    if (fs::remove(file.path, ignored)) bytes -= file.bytes;
  }
}

namespace {

// Equal kernels in different folders share a build of the simulator, because its messages and reports name no folders.
// A build by nvcc names them, and Nsight Compute finds the sources there. Untrusted kernels share no build.
std::vector<std::string> without_folders(std::vector<std::string> command, const build_request& request) {
  if (request.backend != backend_kind::sim || request.confine) return command;
  std::erase_if(command, [](const std::string& argument) { return argument.starts_with("-I"); });
  std::ranges::replace(command, request.source.string(), request.source.filename().string());
  return command;
}

std::string key_of(const std::vector<std::string>& command, const build_request& request) {
  return fingerprint(fmt::format("{}\n{}\n{}\n{}", fmt::join(without_folders(command, request), "\n"),
                                 toolchain_identity(request.backend), request.confine ? "confined" : "",
                                 texts_of(request.source, request.include, !request.confine)));
}

// Threads that want the same build: one makes it, and the others wait until the cache has it.
class only_maker {
 public:
  explicit only_maker(const fs::path& library) : library_{library} {
    std::unique_lock lock{guard};
    ended.wait(lock, [&] { return making.insert(library_).second; });
  }
  only_maker(const only_maker&) = delete;
  ~only_maker() {
    const std::lock_guard lock{guard};
    making.erase(library_);
    ended.notify_all();
  }

 private:
  static inline std::mutex guard{};
  static inline std::condition_variable ended{};
  static inline std::set<fs::path> making{};
  fs::path library_;
};

std::optional<build_result> kept_build(const fs::path& library) {
  if (!fs::exists(library)) return std::nullopt;
  mark_as_used(library);
  return build_result{verdict_kind::pass, library, read_if_there(log_of(library)), true};
}

build_result build_with(const std::vector<std::string>& command, const build_request& request,
                        std::string_view extension) {
  std::error_code missing;
  if (!fs::is_regular_file(request.source, missing))
    return {verdict_kind::compile_error, {}, fmt::format("there is no file {}", request.source.string())};
  const auto library = cached_file_of(key_of(command, request), extension);
  if (auto known = kept_build(library)) return *known;
  const only_maker at_a_time{library};
  if (auto known = kept_build(library)) return *known;
  try {
    return compile_kernel(request, command, library);
  } catch (const std::system_error& error) {
    return {verdict_kind::infra_error, {}, error.what()};
  }
}

}  // namespace

std::string build_key(const build_request& request) { return key_of(compile_command(request), request); }

build_result build(const build_request& request) {
  return build_with(compile_command(request), request,
                    request.device_only ? ".cubin"
                    : request.strict    ? ".txt"
                                        : ".so");
}

build_result build_device_code(const build_request& request, device_code_form form) {
  auto wanted = request;
  wanted.backend = backend_kind::cuda;
  wanted.device_only = true;
  auto command = compile_command(wanted);
  if (form == device_code_form::ptx) {
    std::ranges::replace(command, std::string{"-cubin"}, std::string{"-ptx"});
    return build_with(command, wanted, ".ptx");
  }
  command.emplace_back("-Xptxas=-v");
  return build_with(command, wanted, ".cubin");
}

}  // namespace lab::judge
