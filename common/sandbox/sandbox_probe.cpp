#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "build/build.hpp"
#include "protocol/launcher_call.hpp"
#include "protocol/runner_process.hpp"
#include "sandbox/probe_attacks.hpp"
#include "sandbox/sandbox.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view secret_word = "a_word_that_only_the_grader_knows";

// A file that only this user may read, in a folder for what the probe builds.
class bait {
 public:
  bait() {
    std::ofstream{secret()} << secret_word << '\n';
    fs::permissions(secret(), fs::perms::owner_read);
    std::ofstream{source()} << "#include \"" << secret().string() << "\"\n";
    std::ofstream{harmless()} << "__global__ void k(int* out) { *out = 1; }\n"
                                 "void run(int* out) { k<<<1, 1>>>(out); }\n";
  }
  fs::path secret() const { return folder_.path() / "secret"; }
  fs::path source() const { return folder_.path() / "peeks.cu"; }
  fs::path harmless() const { return folder_.path() / "harmless.cu"; }

 private:
  temporary_folder folder_{"probe"};
};

launcher_spec launcher_of_probe(const std::string& path) {
  launcher_spec c;
  c.name = c.symbol = "lab_sandbox_probe";
  c.parameters = {"secret", "bytes", "grader", "found"};
  c.memory = memory_space::host;
  c.make = [path](const problem_size&, random&) {
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
  c.reference = [](arguments&) {};
  return c;
}

std::vector<std::string> holes_of_runs(backend_kind backend, const judge::confinement& confine, const bait& lure) {
  const auto launcher = launcher_of_probe(lure.secret().string());
  judge::runner_process runner{
      {.backend = backend, .libraries = {lab::here().build / "lib/liblab-probe.so"}, .confine = confine}};
  random unused{1};
  const auto given = launcher.make({1}, unused);
  const auto call = judge::call_unjudged(runner, launcher, given, judge::lay_out(given), 1, 20);
  if (call.end.verdict != verdict_kind::pass) return {"the probe did not come back: " + call.end.detail};
  const auto found = call.outputs[3].as<int>();
  std::vector<std::string> holes;
  for (std::size_t i = 0; i < attacks.size(); ++i)
    if (found[i] != 0) holes.push_back("a kernel could " + std::string{attacks[i]});
  if (fs::exists(lure.secret().string() + ".written")) holes.push_back("a kernel wrote a file outside");
  return holes;
}

std::vector<std::string> holes_of_builds(backend_kind b, const judge::confinement& confine, const bait& lure) {
  const auto good = judge::build({.backend = b, .source = lure.harmless(), .confine = confine});
  if (good.verdict != verdict_kind::pass) return {"the compiler does not work here: " + good.log};
  fs::remove(good.library);
  const auto peek = judge::build({.backend = b, .source = lure.source(), .confine = confine});
  if (peek.log.find(secret_word) != std::string::npos) return {"a compiler could read a file of the grader"};
  return {};
}

std::vector<std::string> holes_of(level l, backend_kind b) {
  if (l == level::other_user && geteuid() != 0) return {"only root can become another user"};
  if (l == level::lockdown && geteuid() == 0) return {"a lockdown of root has no limit on processes"};
  try {
    const bait lure;
    // A user of its own, or two graders that begin at once would count each other's processes.
    const auto confine = confinement_of(l, 512 + static_cast<unsigned>(getpid()) % 256);
    auto holes = holes_of_runs(b, confine, lure);
    const auto more = holes_of_builds(b, confine, lure);
    holes.insert(holes.end(), more.begin(), more.end());
    return holes;
  } catch (const std::exception& e) {
    return {e.what()};
  }
}

}  // namespace

level_test try_level(level l, backend_kind b) { return {l, holes_of(l, b)}; }

std::vector<level_test> try_levels(backend_kind b) {
  std::vector<level_test> all;
  for (const auto l : {level::namespaces, level::other_user, level::lockdown}) {
    all.push_back(try_level(l, b));
    if (all.back().holes.empty()) break;
  }
  return all;
}

std::string cure(const level_test& t) {
  const auto says = [&](std::string_view part) { return t.holes.front().find(part) != std::string::npos; };
  if (says("compiler does not work") && says("Permission denied"))
    return "keep the checkout and its build where every user may read them (chmod o+rX)";
  if (t.at != level::namespaces)
    return "needed only where no stronger level holds; common/grade/README.md has the ladder";
  if (says("could not be started")) return "apt-get install bubblewrap";
  if (says("uid map: Permission denied") || says("RTM_NEWADDR"))
    return "this system keeps users from making namespaces; as root, once: an AppArmor profile with `userns,` for "
           "/usr/bin/bwrap (Ubuntu 24.04), or sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  if (says("No permissions to create new namespace") || says("creating new namespace"))
    return "in a container that forbids namespaces the next level is the right one";
  return "common/grade/README.md has the ladder and what each level needs";
}

std::optional<level> strongest(const std::vector<level_test>& trials) {
  const auto held = std::ranges::find_if(trials, [](const auto& t) { return t.holes.empty(); });
  return held == trials.end() ? std::nullopt : std::optional{held->at};
}

}  // namespace lab::grade
