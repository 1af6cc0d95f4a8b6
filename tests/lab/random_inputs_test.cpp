#include "lab/random_inputs.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"

namespace {

// Runs `work` while this thread and the threads that it starts may use one core only.
template <class F>
auto on_one_core(F work) {
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  auto result = work();
  sched_setaffinity(0, sizeof before, &before);
  return result;
}

std::vector<float> drawn(std::uint64_t seed) { return lab::random{seed}.values({1'000'003}).values; }

}  // namespace

TEST_CASE("a seed gives the same inputs on one core and on all cores") {
  CHECK(on_one_core([] { return drawn(7); }) == drawn(7));
}

TEST_CASE("another seed gives other inputs") { CHECK(drawn(7) != drawn(8)); }

TEST_CASE("two arrays drawn one after the other differ") {
  lab::random values{7};
  CHECK(values.values({1000}).values != values.values({1000}).values);
}

TEST_CASE("lattice inputs are whole numbers within the limit") {
  const auto drawn_values = lab::random(3, lab::inputs::lattice).values({10'000}, 5);
  CHECK(std::ranges::all_of(drawn_values.values,
                            [](float value) { return value == std::round(value) && std::abs(value) <= 5; }));
  CHECK(std::ranges::count(drawn_values.values, 5.0f) > 0);
  CHECK(std::ranges::count(drawn_values.values, -5.0f) > 0);
}

TEST_CASE("real inputs are not whole numbers") {
  const auto drawn_values = lab::random(3).values({10'000});
  CHECK(std::ranges::count_if(drawn_values.values, [](float value) { return value == std::round(value); }) < 10);
}

TEST_CASE("integers stay within their bounds and reach both") {
  const auto drawn_values = lab::random(3).integers<int>({10'000}, -3, 4);
  CHECK(std::ranges::min(drawn_values.values) == -3);
  CHECK(std::ranges::max(drawn_values.values) == 4);
}

TEST_CASE("a large array of repeated inputs repeats its first million, which are those of real inputs") {
  constexpr std::ptrdiff_t period = 1 << 20;
  const auto repeated = lab::random(3, lab::inputs::repeated).values({2 * period + 5}).values;
  const auto real = lab::random(3).values({2 * period + 5}).values;
  CHECK(std::equal(real.begin(), real.begin() + period, repeated.begin()));
  CHECK(std::equal(repeated.begin() + period, repeated.end(), repeated.begin()));
  CHECK(lab::random(3, lab::inputs::repeated).values({1000}).values == lab::random(3).values({1000}).values);
}
