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
#include "support/installation.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using judge::needs;
using lab::spawn_request;
using strings = std::vector<std::string>;

namespace {

constexpr unsigned first_user = 64200;  // and the slots after it; Debian gives these numbers to nobody

void append(strings& to, const strings& more) { to.insert(to.end(), more.begin(), more.end()); }

// nvcc is told the architecture, so it asks no GPU.
bool uses_gpu(const needs& a) { return a.backend == backend_kind::cuda && !a.compiles; }

strings gpu_nodes() {
  strings nodes;
  std::error_code none;
  for (const auto& e : fs::directory_iterator("/dev", none))
    if (e.path().filename().string().starts_with("nvidia")) nodes.push_back(e.path().string());
  std::ranges::sort(nodes);
  return nodes;
}

// Our own files that a compiler or a runner of this back end needs.
strings tools(const needs& a) {
  const auto build = lab::here().build;
  strings all{(build / "lib").string()};
  if (a.backend == backend_kind::sim && a.compiles)
    append(all, {judge::labcc().string(), (lab::here().root / "common/sim/include").string()});
  if (const auto headers = build / "precompiled"; a.compiles && fs::exists(headers)) all.push_back(headers.string());
  for (const auto& path : a.readable) all.push_back(path.string());
  return all;
}

bool holds_libraries(const fs::path& folder) {
  const auto name = folder.filename().string();
  return name.starts_with("lib") || name == "targets";
}

// Compilers outside the system's folders; of those what runs needs the libraries, C++'s and CUDA's.
std::set<fs::path> compilers(const needs& a) {
  std::set<fs::path> all;
  auto programs = judge::host_compilers(a.backend);
  if (a.backend == backend_kind::cuda) programs.push_back(judge::nvcc());
  for (const auto& program : programs) all.merge(compiler_files(program));
  if (!a.compiles) std::erase_if(all, [](const auto& path) { return !holds_libraries(path); });
  return all;
}

const strings& system_folders() {
  static const strings all{"/usr", "/etc/alternatives", "/etc/ld.so.cache"};
  return all;
}

fs::path confine_program() { return lab::here().build / "bin/lab-confine"; }

// A GPU's driver opens its nodes many times over, those of every GPU there is. It names its threads in
// /proc/ID/task/THREAD/comm and gives up if it may not: what the runner may write there, at any level, is its own
// folder, which /proc/self is when lab-confine asks, for it becomes the runner and keeps its number. All of /proc would
// be too much: at level 1 other processes of this user are protected by nothing else (oom_score_adj).
strings gpu_rules() { return {"--open-files", "1024", "--read", "/proc", "--read", "/sys", "--change", "/proc/self"}; }

// The part that every level shares: lab-confine and the file rules.
strings lockdown_command(const needs& a, level l, unsigned slot) {
  strings c{confine_program().string(), "--processes", a.compiles ? "64" : "512"};
  const auto add = [&](const char* option, const strings& paths) {
    for (const auto& p : paths) append(c, {option, p});
  };
  add("--read", system_folders());
  add("--read", {"/bin", "/lib", "/lib64", "/proc/self"});
  add("--read", tools(a));
  for (const auto& path : compilers(a)) append(c, {"--read", path.string()});
  if (uses_gpu(a)) append(c, gpu_rules());
  add("--device", {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"});
  if (uses_gpu(a)) add("--device", gpu_nodes());
  if (!a.writable.empty()) add("--write", {a.writable.string()});
  if (a.compiles) c.push_back("--compiler");
  if (a.compiles && l == level::namespaces) add("--write", {"/tmp"});
  if (l == level::other_user) append(c, {"--user", std::to_string(first_user + slot)});
  c.push_back("--");
  return c;
}

// Root is exempt from the limit on processes, even in a namespace, so bubblewrap runs as somebody else then.
strings as_user(unsigned slot) {
  if (geteuid() != 0) return {};
  const auto id = std::to_string(first_user + slot);
  return {"setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--bounding-set=-all", "--"};
}

strings bubblewrap_command(const needs& a, unsigned slot) {
  auto c = as_user(slot);
  append(c, {"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  append(c, {"--proc", "/proc", "--dev", "/dev", "--size", "65536", "--tmpfs", "/dev/shm"});
  for (const auto& node : uses_gpu(a) ? gpu_nodes() : strings{}) append(c, {"--dev-bind", node, node});
  append(c, {"--remount-ro", "/dev"});
  if (uses_gpu(a)) append(c, {"--ro-bind-try", "/sys", "/sys"});
  for (const auto& folder : system_folders()) append(c, {"--ro-bind-try", folder, folder});
  for (const char* name : {"bin", "lib", "lib64"})
    append(c, {"--symlink", std::string{"usr/"} + name, std::string{"/"} + name});
  if (a.compiles) append(c, {"--size", "536870912", "--tmpfs", "/tmp"});
  for (const auto& path : compilers(a))
    append(c, fs::is_symlink(path) && !fs::is_directory(path)
                  ? strings{"--symlink", fs::read_symlink(path).string(), path.string()}
                  : strings{"--ro-bind", path.string(), path.string()});
  auto ours = tools(a);
  ours.push_back(confine_program().string());
  for (const auto& path : ours)
    if (!path.starts_with("/usr/")) append(c, {"--ro-bind", path, path});
  if (!a.writable.empty()) append(c, {"--bind", a.writable.string(), a.writable.string()});
  append(c, {"--remount-ro", "/", "--"});
  return c;
}

void set_variable(strings& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& v) { return v.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

// A compiler needs somewhat more than a kernel: cc1plus maps much that it never touches.
void set_limits(spawn_request& r, const needs& a, level l) {
  set_variable(r.environment, "HOME", "/nonexistent");
  const bool own_tmp = l == level::namespaces || !a.compiles;
  set_variable(r.environment, "TMPDIR", own_tmp ? "/tmp" : a.writable.string());
  if (a.compiles) r.memory_bytes = a.backend == backend_kind::sim ? 3ull << 30 : 6ull << 30;
  if (!a.compiles && a.backend == backend_kind::sim) r.memory_bytes = 12ull << 30;
  r.folder = "/";
}

}  // namespace

std::string_view describe(level l) {
  constexpr std::array<std::string_view, 4> words{"no sandbox", "lockdown", "another user and lockdown",
                                                  "bubblewrap and lockdown"};
  return words.at(static_cast<std::size_t>(l));
}

judge::confinement confinement_of(level l, unsigned slot) {
  if (l == level::none) return {};
  return [l, slot](spawn_request r, const needs& a) {
    if (geteuid() == 0 && l != level::lockdown && !a.writable.empty() &&
        chown(a.writable.c_str(), first_user + slot, first_user + slot) != 0)
      throw std::system_error(errno, std::generic_category(), "handing over " + a.writable.string());
    auto command = l == level::namespaces ? bubblewrap_command(a, slot) : strings{};
    append(command, lockdown_command(a, l, slot));
    append(command, r.arguments);
    r.arguments = std::move(command);
    set_limits(r, a, l);
    return r;
  };
}

}  // namespace lab::grade
