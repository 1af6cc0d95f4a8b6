#include "sandbox/sandbox.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "catch.hpp"

using namespace lab;
using namespace lab::grade;

namespace {

std::string first_hole(const level_test& t) { return t.holes.empty() ? "" : t.holes.front(); }

// A process of this user, which no sandbox may change.
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

// What names_threads could do, with or without lab-confine's and the level's rules for runners of this back end.
std::string could_do(level l, backend_kind b) {
  const sleeper other;
  const judge::needs needs{.backend = b, .readable = {NAMES_THREADS}};
  lab::spawn_request r{.arguments = {NAMES_THREADS, std::to_string(other.id)}};
  if (const auto confine = confinement_of(l, 900); confine) r = confine(std::move(r), needs);
  const auto end = run_program(r, 20);
  INFO(end.output);
  CHECK(end.well());
  return end.output;
}

// Where no namespaces can be made that level cannot be used, which another test tells.
std::vector<level> levels_here() {
  std::vector<level> all{level::lockdown};
  if (geteuid() == 0) all.push_back(level::other_user);
  if (try_level(level::namespaces, backend_kind::sim).holes.empty()) all.push_back(level::namespaces);
  return all;
}

}  // namespace

TEST_CASE("without a sandbox the hostile probe gets away with nearly everything") {
  const auto t = try_level(level::none, backend_kind::sim);
  INFO(first_hole(t));
  CHECK(t.holes.size() > 8);
  CHECK(std::ranges::count(t.holes, "a compiler could read a file of the grader") == 1);
}

TEST_CASE("a level that can be used here refuses every attack of the probe") {
  const auto trials = try_levels(backend_kind::sim);
  const auto held = strongest(trials);
  for (const auto& t : trials) WARN(describe(t.at) << ": " << (t.holes.empty() ? "holds" : t.holes.front()));
  REQUIRE(held);
  CHECK(*held >= level::lockdown);
}

TEST_CASE("another user's lockdown holds where there are no namespaces") {
  const auto t = try_level(level::other_user, backend_kind::sim);
  CHECK(first_hole(t) == (geteuid() == 0 ? "" : "only root can become another user"));
}

TEST_CASE("the lockdown alone holds for a user, and is refused to root") {
  const auto t = try_level(level::lockdown, backend_kind::sim);
  CHECK(first_hole(t) == (geteuid() == 0 ? "a lockdown of root has no limit on processes" : ""));
}

TEST_CASE("at every level a GPU's driver may name its threads and write to no other process") {
  for (const auto l : levels_here()) {
    INFO(describe(l));
    CHECK(could_do(l, backend_kind::cuda) == "named\nwritten\ntried\n");
    CHECK(could_do(l, backend_kind::sim) == "tried\n");
  }
}

TEST_CASE("without a sandbox other processes of the user can be changed") {
  CHECK(could_do(level::none, backend_kind::cuda).find("oom_score_adj of another process\n") != std::string::npos);
}

TEST_CASE("a level without holes is preferred to stronger ones with holes, and none is better than a leaky one") {
  const level_test leaky{level::namespaces, {"a kernel could start a process"}};
  CHECK(strongest({leaky, {level::other_user, {}}}) == level::other_user);
  CHECK_FALSE(strongest({leaky}));
}

TEST_CASE("the cure for a missing bubblewrap names the package, and for Ubuntu the profile") {
  CHECK(cure({level::namespaces, {"the runner did not start: could not be started"}}) == "apt-get install bubblewrap");
  CHECK(cure({level::namespaces, {"bwrap: setting up uid map: Permission denied"}}).find("AppArmor") !=
        std::string::npos);
}
