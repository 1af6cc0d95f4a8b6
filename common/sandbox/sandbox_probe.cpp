#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "build/kernel_cache.hpp"
#include "protocol/launcher_call.hpp"
#include "protocol/runner_process.hpp"
#include "sandbox/probe_attacks.hpp"
#include "sandbox/sandbox.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

namespace lab::sandbox {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view secret_text = "a_word_that_only_the_grader_knows";

// Differs from boot to boot, from container to container, and from user to user.
std::string this_system() {
  std::error_code hidden;
  return fmt::format("{} {} {} {}", read_if_there("/proc/sys/kernel/random/boot_id"),
                     fs::read_symlink("/proc/self/ns/mnt", hidden).string(),
                     fs::read_symlink("/proc/self/ns/user", hidden).string(), geteuid());
}

// A secret file that only this user may read, and two sources: one includes the secret, one is harmless.
class probe_files {
 public:
  explicit probe_files(level chosen) {
    std::ofstream{secret()} << secret_text << '\n';
    fs::permissions(secret(), fs::perms::owner_read);
    std::ofstream{source()} << "#include \"" << secret().string() << "\"\n";
    // The cache keeps its library under a key that contains the level and the system.
    std::ofstream{harmless()} << "// level " << static_cast<int>(chosen) << " of " << fingerprint(this_system())
                              << "\n__global__ void k(int* out) { *out = 1; }\n"
                                 "void run(int* out) { k<<<1, 1>>>(out); }\n";
  }
  fs::path secret() const { return folder_.path() / "secret"; }
  fs::path source() const { return folder_.path() / "includes_secret.cu"; }
  fs::path harmless() const { return folder_.path() / "harmless.cu"; }

 private:
  temporary_folder folder_{"probe"};
};

launcher_spec probe_launcher(const std::string& path) {
  launcher_spec launcher;
  launcher.name = launcher.symbol = "lab_sandbox_probe";
  launcher.parameters = {"secret", "bytes", "grader", "found"};
  launcher.memory = memory_space::host;
  launcher.make = [path](const problem_size&, random&) {
    arguments all(4);
    const auto bytes = std::as_bytes(std::span{path});
    const int length = static_cast<int>(path.size()), grader = getpid();
    const auto scalar = [](int value) {
      const auto raw = std::as_bytes(std::span{&value, 1});
      return argument{parameter_role::scalar, element::i32, {}, {raw.begin(), raw.end()}};
    };
    all[0] = {parameter_role::input, element::u8, {length}, {bytes.begin(), bytes.end()}};
    all[1] = scalar(length);
    all[2] = scalar(grader);
    all[3] = {parameter_role::output, element::i32, {static_cast<int>(attacks.size())}, {}};
    return all;
  };
  launcher.reference = [](arguments&) {};
  return launcher;
}

std::vector<std::string> holes_of_runs(backend_kind backend, const judge::confinement& confine,
                                       const probe_files& files) {
  const auto launcher = probe_launcher(files.secret().string());
  judge::runner_process runner{
      {.backend = backend, .libraries = {lab::here().build / "lib/liblab-probe.so"}, .confine = confine}};
  const auto given = drawn(launcher, {1}, 1, inputs::lattice);
  const auto call = judge::call_unjudged(runner, launcher, given, judge::lay_out(given), 1, 20);
  if (call.end.verdict != verdict_kind::pass) return {"the probe ended early: " + call.end.detail};
  const auto found = call.outputs[3].as<int>();
  std::vector<std::string> holes;
  for (std::size_t i = 0; i < attacks.size(); ++i)
    if (found[i] != 0) holes.push_back("a kernel could " + std::string{attacks[i]});
  if (fs::exists(files.secret().string() + ".written")) holes.push_back("a kernel wrote a file outside its folder");
  return holes;
}

std::vector<std::string> holes_of_builds(backend_kind backend, const judge::confinement& confine,
                                         const probe_files& files) {
  // The attack runs every time. That the compiler also assembles and links is remembered until the next boot.
  const auto harmless = judge::build({.backend = backend, .source = files.harmless(), .confine = confine});
  if (harmless.verdict != verdict_kind::pass) return {"the compiler does not work here: " + harmless.log};
  const auto stolen = judge::build({.backend = backend, .source = files.source(), .confine = confine});
  if (stolen.log.find(secret_text) != std::string::npos) return {"a compiler could read a file of the grader"};
  const bool tried = stolen.log.find(" " + files.secret().filename().string()) != std::string::npos;
  if (!tried) return {"the compiler does not work here: " + stolen.log};
  return {};
}

std::vector<std::string> holes_of(level chosen, backend_kind backend) {
  if (chosen == level::other_user && geteuid() != 0) return {"only root can become another user"};
  if (chosen == level::lockdown && geteuid() == 0) return {"the lockdown cannot limit root's processes"};
  try {
    const probe_files files{chosen};
    // Each probe needs its own user: otherwise two graders that start together count each other's processes.
    const auto confine = confinement_of(chosen, 512 + static_cast<unsigned>(getpid()) % 256);
    auto holes = holes_of_runs(backend, confine, files);
    const auto more = holes_of_builds(backend, confine, files);
    holes.insert(holes.end(), more.begin(), more.end());
    return holes;
  } catch (const std::exception& error) {
    return {error.what()};
  }
}

}  // namespace

probe_result probe_level(level chosen, backend_kind backend) { return {chosen, holes_of(chosen, backend)}; }

std::vector<probe_result> probe_levels(backend_kind backend) {
  std::vector<probe_result> all;
  for (const auto chosen : {level::namespaces, level::other_user, level::lockdown}) {
    all.push_back(probe_level(chosen, backend));
    if (all.back().holds()) break;
  }
  return all;
}

std::string advice_for(const probe_result& failed) {
  const auto says = [&](std::string_view part) { return failed.holes.front().find(part) != std::string::npos; };
  if (says("compiler does not work") && says("Permission denied"))
    return "let every user read the checkout and its build (chmod o+rX)";
  if (failed.probed != level::namespaces)
    return "needed only if no stronger level holds; common/sandbox/README.md explains the levels";
  if (says("could not be started")) return "apt-get install bubblewrap";
  if (says("uid map: Permission denied") || says("RTM_NEWADDR"))
    return "this system does not let users create namespaces; as root, once: add an AppArmor profile with `userns,` "
           "for /usr/bin/bwrap (Ubuntu 24.04), or sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  if (says("No permissions to create new namespace") || says("creating new namespace"))
    return "this container forbids namespaces; use the next level";
  return "common/sandbox/README.md explains the levels and what each one needs";
}

std::optional<level> strongest(const std::vector<probe_result>& results) {
  const auto held = std::ranges::find_if(results, &probe_result::holds);
  return held == results.end() ? std::nullopt : std::optional{held->probed};
}

}  // namespace lab::sandbox
