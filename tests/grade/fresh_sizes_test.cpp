#include "grade/job/fresh_sizes.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace lab;

TEST_CASE("each lab has a problem of every size that is drawn for it") {
  constexpr unsigned wanted = 4;
  for (const auto& entry : labs()) {
    CAPTURE(entry.name);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const auto drawn = grade::drawn_sizes(entry, wanted, seed);
      CHECK(drawn.size() >= wanted);
      for (const auto& size : drawn)
        for (const auto& launcher : entry.definition.launchers) {
          if (launcher.axes.size() != size.axes()) continue;
          CAPTURE(launcher.name, size.name());
          CHECK(solvable(launcher, size));
          CHECK(std::ranges::count(drawn, size) == 1);
        }
    }
  }
}

TEST_CASE("a size of which a lab has no problem is refused with the reason") {
  const auto& launchers = find("09").definition.launchers;
  for (const auto& [launcher, size, why] :
       {std::tuple{&launchers[0], problem_size{2, 8}, "size 2x8: a filter of 8 does not fit into 2"},
        std::tuple{&launchers[0], problem_size{999, 130}, "size 999x130: a filter of 130 is longer than 129"},
        std::tuple{&launchers[1], problem_size{8, 9, 9, 2, 1},
                   "size 8x9x9x2x1: a filter of 9 x 2 does not fit into 8 x 9"}}) {
    CHECK_FALSE(solvable(*launcher, size));
    CHECK_THROWS_WITH(drawn(*launcher, size, 1, inputs::real), why);
  }
}
