#include "sandbox/sandbox.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "catch.hpp"
#include "sandbox/own_users.hpp"
#include "support/parallel.hpp"
#include "support/temporary_folder.hpp"

using namespace lab;
using namespace lab::sandbox;

namespace {

std::string first_hole(const probe_result& result) { return result.holds() ? "" : result.holes.front(); }

// A process of this user. No sandboxed program may change it.
struct sleeper {
  pid_t id = fork();
  sleeper() {
    if (id == 0) pause(), _exit(0);
  }
  ~sleeper() {
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
  }
};

// The successes of names_threads at a level, with that level's rules for runners of this back end.
std::string successes_at(level chosen, backend_kind backend, const std::vector<std::string>& more = {}) {
  const sleeper other;
  const judge::needs needs{.backend = backend, .readable = {NAMES_THREADS}};
  lab::spawn_request request{.arguments = {NAMES_THREADS, std::to_string(other.id)}};
  request.arguments.insert(request.arguments.end(), more.begin(), more.end());
  if (const auto confine = confinement_of(chosen, 900); confine) request = confine(std::move(request), needs);
  const auto end = run_program(request, 20);
  INFO(end.output);
  CHECK(end.well());
  return end.output;
}

// "fine" if a compiler can start 50 programs although a kernel of its slot began to use all its threads meanwhile.
std::string compiles_beside_kernel(level chosen) {
  const temporary_folder folder{"sandbox-test"};
  const auto start = [&](bool compiles, const std::string& script) {
    const judge::needs needs{.compiles = compiles, .writable = folder.path()};
    return confinement_of(chosen, 901)({.arguments = {"/bin/sh", "-c", "cd " + folder.path().string() + "; " + script}},
                                       needs);
  };
  const auto threads = std::to_string(24 + 2 * cores());
  const child kernel{start(false, "until [ -e begin ]; do :; done; i=0; while [ $i -lt " + threads +
                                      " ]; do sleep 600 & i=$((i + 1)); done; : > ready; wait")};
  return run_program(start(true,
                           ": > begin; until [ -e ready ]; do :; done; i=0; while [ $i -lt 50 ]; do sleep 1 & "
                           "i=$((i + 1)); done; wait; echo fine"),
                     600)
      .output;
}

// The levels that this machine has.
std::vector<level> levels_here() {
  std::vector<level> all{level::lockdown};
  if (geteuid() == 0) all.push_back(level::other_user);
  if (probe_level(level::namespaces, backend_kind::sim).holds()) all.push_back(level::namespaces);
  return all;
}

}  // namespace

TEST_CASE("without a sandbox most attacks of the hostile probe succeed") {
  const auto result = probe_level(level::none, backend_kind::sim);
  INFO(first_hole(result));
  CHECK(result.holes.size() > 8);
  CHECK(std::ranges::count(result.holes, "a compiler could read a file of the grader") == 1);
}

TEST_CASE("at least one level of this machine refuses every attack of the probe") {
  const auto results = probe_levels(backend_kind::sim);
  const auto held = strongest(results);
  for (const auto& result : results)
    WARN(describe(result.probed) << ": " << (result.holds() ? "holds" : result.holes.front()));
  REQUIRE(held);
  CHECK(*held >= level::lockdown);
}

TEST_CASE("as root, the lockdown as another user holds") {
  const auto result = probe_level(level::other_user, backend_kind::sim);
  CHECK(first_hole(result) == (geteuid() == 0 ? "" : "only root can become another user"));
}

TEST_CASE("the lockdown alone holds for a user and is not used for root") {
  const auto result = probe_level(level::lockdown, backend_kind::sim);
  CHECK(first_hole(result) == (geteuid() == 0 ? "the lockdown cannot limit root's processes" : ""));
}

TEST_CASE("at every level a GPU's driver can name its threads and cannot change another process") {
  for (const auto chosen : levels_here()) {
    INFO(describe(chosen));
    CHECK(successes_at(chosen, backend_kind::cuda) == "named\nwritten\ntried\n");
    CHECK(successes_at(chosen, backend_kind::sim) == "tried\n");
  }
}

TEST_CASE("at every level a compiler starts its programs while a kernel of its slot uses all its threads") {
  for (const auto chosen : levels_here()) {
    INFO(describe(chosen));
    CHECK(compiles_beside_kernel(chosen) == "fine\n");
  }
}

TEST_CASE("at every level a program on the simulator learns nothing of the network and the mounts") {
  CHECK(successes_at(level::none, backend_kind::sim, {"look"}).find("mountinfo\n") != std::string::npos);
  for (const auto chosen : levels_here()) {
    INFO(describe(chosen));
    CHECK(successes_at(chosen, backend_kind::sim, {"look"}) == "");
  }
}

TEST_CASE("without a sandbox a program can change other processes of its user") {
  CHECK(successes_at(level::none, backend_kind::cuda).find("oom_score_adj of another process\n") != std::string::npos);
}

TEST_CASE("the strongest level without holes is chosen, and no level with holes ever") {
  const probe_result leaky{level::namespaces, {"a kernel could start a process"}};
  CHECK(strongest({leaky, {level::other_user, {}}}) == level::other_user);
  CHECK_FALSE(strongest({leaky}));
}

TEST_CASE("the advice names the package if bubblewrap is missing, and the AppArmor profile on Ubuntu") {
  CHECK(advice_for({level::namespaces, {"the runner did not start: could not be started"}}) ==
        "apt-get install bubblewrap");
  CHECK(advice_for({level::namespaces, {"bwrap: setting up uid map: Permission denied"}}).find("AppArmor") !=
        std::string::npos);
}

TEST_CASE("two graders on one machine have different users") {
  own_users one;
  const unsigned first = one.of(0), second = one.of(1);
  CHECK(first != second);
  CHECK(one.of(0) == first);
  for (int round = 0; round < 1000; ++round) {  // more rounds than there are users, so each must free its user
    own_users other;
    const unsigned user = other.of(0);
    REQUIRE(user != first);
    REQUIRE(user != second);
  }
}
