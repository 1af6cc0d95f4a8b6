#include "grade/sandbox.hpp"

#include <unistd.h>

#include "catch.hpp"

using namespace lab::grade;
using lab::judge::backend;

namespace {

std::string first_hole(const trial_of_level& t) { return t.holes.empty() ? "" : t.holes.front(); }

}  // namespace

TEST_CASE("without a sandbox the hostile probe gets away with nearly everything") {
  const auto t = try_level(level::none, backend::sim);
  INFO(first_hole(t));
  CHECK(t.holes.size() > 8);
  CHECK(std::ranges::count(t.holes, "a compiler could read a file of the grader") == 1);
}

TEST_CASE("a level that can be used here refuses every attack of the probe") {
  const auto trials = try_levels(backend::sim);
  const auto held = strongest(trials);
  for (const auto& t : trials) WARN(describe(t.at) << ": " << (t.holes.empty() ? "holds" : t.holes.front()));
  REQUIRE(held);
  CHECK(*held >= level::lockdown);
}

TEST_CASE("another user's lockdown holds where there are no namespaces") {
  const auto t = try_level(level::other_user, backend::sim);
  CHECK(first_hole(t) == (geteuid() == 0 ? "" : "only root can become another user"));
}

TEST_CASE("the lockdown alone holds for a user, and is refused to root") {
  const auto t = try_level(level::lockdown, backend::sim);
  CHECK(first_hole(t) == (geteuid() == 0 ? "a lockdown of root has no limit on processes" : ""));
}

TEST_CASE("a level without holes is preferred to stronger ones with holes, and none is better than a leaky one") {
  const trial_of_level leaky{level::namespaces, {"a kernel could start a process"}};
  CHECK(strongest({leaky, {level::other_user, {}}}) == level::other_user);
  CHECK_FALSE(strongest({leaky}));
}

TEST_CASE("the cure for a missing bubblewrap names the package, and for Ubuntu the profile") {
  CHECK(cure({level::namespaces, {"the runner did not start: could not be started"}}) == "apt-get install bubblewrap");
  CHECK(cure({level::namespaces, {"bwrap: setting up uid map: Permission denied"}}).find("AppArmor") !=
        std::string::npos);
}
