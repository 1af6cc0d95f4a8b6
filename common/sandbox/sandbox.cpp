#include "sandbox/sandbox.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "build/toolchain.hpp"
#include "sandbox/compiler_files.hpp"
#include "sandbox/own_users.hpp"
#include "support/installation.hpp"
#include "support/parallel.hpp"

namespace lab::sandbox {

namespace fs = std::filesystem;
using judge::needs;
using lab::spawn_request;
using strings = std::vector<std::string>;

namespace {

unsigned user_of(unsigned slot) {
  static own_users of_this_process;
  return of_this_process.of(slot);
}

void append(strings& to, const strings& more) { to.insert(to.end(), more.begin(), more.end()); }

// nvcc needs no GPU because the command line names the architecture.
bool uses_gpu(const needs& needed) { return needed.backend == backend_kind::cuda && !needed.compiles; }

strings gpu_nodes() {
  strings nodes;
  std::error_code none;
  for (const auto& file : fs::directory_iterator("/dev", none))
    if (file.path().filename().string().starts_with("nvidia")) nodes.push_back(file.path().string());
  std::ranges::sort(nodes);
  return nodes;
}

// This project's files that a compiler or a runner of this back end needs.
strings project_files(const needs& needed) {
  const auto build = lab::here().build;
  strings all{(build / "lib").string()};
  if (needed.backend == backend_kind::sim && needed.compiles)
    append(all, {judge::labcc().string(), (lab::here().home / "common/sim/include").string()});
  if (const auto headers = build / "precompiled"; needed.compiles && fs::exists(headers))
    all.push_back(headers.string());
  for (const auto& path : needed.readable) all.push_back(path.string());
  return all;
}

bool holds_libraries(const fs::path& folder) {
  const auto name = folder.filename().string();
  return name.starts_with("lib") || name == "targets";
}

// Files of compilers outside the system's folders. A kernel needs only their libraries (C++ and CUDA).
std::set<fs::path> files_of_compilers(const needs& needed) {
  std::set<fs::path> all;
  auto programs = judge::host_compilers(needed.backend);
  if (needed.backend == backend_kind::cuda) programs.push_back(judge::nvcc());
  for (const auto& program : programs) all.merge(compiler_files(program));
  if (!needed.compiles) std::erase_if(all, [](const auto& path) { return !holds_libraries(path); });
  return all;
}

const strings& system_folders() {
  static const strings all{"/usr", "/etc/alternatives", "/etc/ld.so.cache"};
  return all;
}

fs::path confine_program() { return lab::here().build / "bin/lab-confine"; }

// A GPU's driver opens the device files of every GPU many times. It writes its threads' names to
// /proc/ID/task/THREAD/comm and fails if it cannot. So the runner may write to its own folder in /proc: lab-confine
// resolves /proc/self and then becomes the runner, with the same process number. The rest of /proc stays read-only.
// At level 1 nothing else protects other processes of this user (oom_score_adj).
strings gpu_rules() { return {"--open-files", "1024", "--read", "/proc", "--read", "/sys", "--change", "/proc/self"}; }

// Not the whole folder: it also shows the network, the mounts and other settings of the machine.
const strings& own_process_files() {
  static const strings all{"/proc/self/maps", "/proc/self/stat", "/proc/self/statm", "/proc/self/status"};
  return all;
}

// A GPU's driver starts many threads. The simulator uses one for each core, and a check runs a kernel's two builds at
// the same time. A slot's compiler and its kernels may run together, and the limit of each counts the threads of all.
// As this user, it counts the jobs of all cores and this user's other programs, too.
unsigned most_threads(const needs& needed, level chosen) {
  const unsigned compiler = 64, kernels = needed.backend == backend_kind::cuda ? 512 : 32 + 2 * cores();
  return (compiler + kernels) * (chosen == level::lockdown ? cores() : 1);
}

// The part that every level shares: lab-confine with its file rules.
strings lockdown_command(const needs& needed, level chosen, unsigned slot) {
  strings command{confine_program().string(), "--processes", std::to_string(most_threads(needed, chosen))};
  const auto add = [&](const char* option, const strings& paths) {
    for (const auto& path : paths) append(command, {option, path});
  };
  add("--read", system_folders());
  add("--read", {"/bin", "/lib", "/lib64"});
  add("--read", own_process_files());
  add("--read", project_files(needed));
  for (const auto& path : files_of_compilers(needed)) append(command, {"--read", path.string()});
  if (uses_gpu(needed)) append(command, gpu_rules());
  add("--device", {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"});
  if (uses_gpu(needed)) add("--device", gpu_nodes());
  if (!needed.writable.empty()) add("--write", {needed.writable.string()});
  if (needed.compiles) command.push_back("--compiler");
  if (needed.compiles && chosen == level::namespaces) add("--write", {"/tmp"});
  if (chosen == level::other_user) append(command, {"--user", std::to_string(user_of(slot))});
  command.push_back("--");
  return command;
}

// The limit on processes does not apply to root, not even in a namespace. As root, bubblewrap therefore runs as
// another user.
strings unprivileged_user(unsigned slot) {
  if (geteuid() != 0) return {};
  const auto id = std::to_string(user_of(slot));
  return {"setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--bounding-set=-all", "--"};
}

strings bubblewrap_command(const needs& needed, unsigned slot) {
  auto command = unprivileged_user(slot);
  append(command, {"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  append(command, {"--proc", "/proc", "--dev", "/dev", "--size", "65536", "--tmpfs", "/dev/shm"});
  for (const auto& node : uses_gpu(needed) ? gpu_nodes() : strings{}) append(command, {"--dev-bind", node, node});
  append(command, {"--remount-ro", "/dev"});
  if (uses_gpu(needed)) append(command, {"--ro-bind-try", "/sys", "/sys"});
  for (const auto& folder : system_folders()) append(command, {"--ro-bind-try", folder, folder});
  for (const char* name : {"bin", "lib", "lib64"})
    append(command, {"--symlink", std::string{"usr/"} + name, std::string{"/"} + name});
  if (needed.compiles) append(command, {"--size", "536870912", "--tmpfs", "/tmp"});
  for (const auto& path : files_of_compilers(needed))
    append(command, fs::is_symlink(path) && !fs::is_directory(path)
                        ? strings{"--symlink", fs::read_symlink(path).string(), path.string()}
                        : strings{"--ro-bind", path.string(), path.string()});
  auto ours = project_files(needed);
  ours.push_back(confine_program().string());
  for (const auto& path : ours)
    if (!path.starts_with("/usr/")) append(command, {"--ro-bind", path, path});
  if (!needed.writable.empty()) append(command, {"--bind", needed.writable.string(), needed.writable.string()});
  append(command, {"--remount-ro", "/", "--"});
  return command;
}

void set_variable(strings& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

// Compilers have limits of their own because cc1plus maps much memory that it never touches.
void set_limits(spawn_request& request, const needs& needed, level chosen) {
  set_variable(request.environment, "HOME", "/nonexistent");
  const bool own_tmp = chosen == level::namespaces || !needed.compiles;
  set_variable(request.environment, "TMPDIR", own_tmp ? "/tmp" : needed.writable.string());
  if (needed.compiles) request.memory_bytes = needed.backend == backend_kind::sim ? 3ull << 30 : 6ull << 30;
  if (!needed.compiles && needed.backend == backend_kind::sim) request.memory_bytes = 12ull << 30;
  request.folder = "/";
}

}  // namespace

std::string_view describe(level chosen) {
  constexpr std::array<std::string_view, 4> names{"no sandbox", "lockdown", "another user and lockdown",
                                                  "bubblewrap and lockdown"};
  return names.at(static_cast<std::size_t>(chosen));
}

judge::confinement confinement_of(level chosen, unsigned slot) {
  if (chosen == level::none) return {};
  return [chosen, slot](spawn_request request, const needs& needed) {
    if (geteuid() == 0 && chosen != level::lockdown && !needed.writable.empty() &&
        chown(needed.writable.c_str(), user_of(slot), user_of(slot)) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot change the owner of " + needed.writable.string());
    auto command = chosen == level::namespaces ? bubblewrap_command(needed, slot) : strings{};
    append(command, lockdown_command(needed, chosen, slot));
    append(command, request.arguments);
    request.arguments = std::move(command);
    set_limits(request, needed, chosen);
    return request;
  };
}

}  // namespace lab::sandbox
