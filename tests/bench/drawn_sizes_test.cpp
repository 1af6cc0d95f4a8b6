#include "bench/drawn_sizes.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

constexpr unsigned wanted = 60;
constexpr most_work most{1e9, 1e10};

// Matrices of floats, and filters whose extent a lab definition limits.
launcher_spec filters() {
  launcher_spec spec;
  spec.axes = {"rows", "cols", "taps"};
  spec.drawn_up_to = {0, 0, 31};
  spec.cost = [](const problem_size& s) {
    const double elements = 1.0 * s[0] * s[1];
    return problem_cost{.bytes = 8 * elements, .operations = 2 * elements * s[2]};
  };
  return spec;
}

std::vector<drawn_size> drawn_from(const launcher_spec& launcher, std::uint64_t seed) {
  size_drawer drawer{launcher, most, wanted, seed};
  std::vector<drawn_size> all;
  for (unsigned i = 0; i < wanted; ++i) all.push_back(drawer.next());
  return all;
}

bool power_of_two(int n) { return (n & (n - 1)) == 0; }

bool prime(int n) {
  for (int divisor = 2; divisor * divisor <= n; ++divisor)
    if (n % divisor == 0) return false;
  return n > 1;
}

double bytes_of(const drawn_size& one) { return filters().cost(one.size).bytes; }

}  // namespace

TEST_CASE("drawn sizes differ, cost at most what is allowed, and keep the limits of the lab definition") {
  const auto all = drawn_from(filters(), 7);
  std::set<std::string> names;
  for (const auto& one : all) {
    CHECK(names.insert(one.size.name()).second);
    CHECK(bytes_of(one) <= most.bytes);
    CHECK(filters().cost(one.size).operations <= most.operations);
    CHECK(one.size[2] <= 31);
    for (std::size_t axis = 0; axis < 3; ++axis) CHECK(one.size[axis] >= 1);
  }
}

TEST_CASE("drawn sizes reach from a kilobyte to the most memory, one order of magnitude after the other") {
  const auto all = drawn_from(filters(), 7);
  const auto below = [&](double bytes) {
    return std::ranges::count_if(all, [&](const drawn_size& one) { return bytes_of(one) < bytes; });
  };
  CHECK(below(1e4) >= 5);
  CHECK(below(1e6) >= 20);
  CHECK(below(1e8) >= 40);
  CHECK(below(1e8) < 60);
}

TEST_CASE("among them are powers of two, odd numbers, primes, and extreme aspect ratios both ways") {
  const auto all = drawn_from(filters(), 7);
  const auto count = [&](auto&& of) { return std::ranges::count_if(all, of); };
  CHECK(count([](const auto& one) { return power_of_two(one.size[0]) && power_of_two(one.size[1]); }) >= 10);
  CHECK(count([](const auto& one) { return one.size[0] % 2 == 1 && one.size[1] % 2 == 1; }) >= 20);
  CHECK(count([](const auto& one) { return prime(one.size[0]) && prime(one.size[1]); }) >= 5);
  CHECK(count([](const auto& one) { return one.size[0] > 1000.0 * one.size[1]; }) >= 2);
  CHECK(count([](const auto& one) { return one.size[1] > 1000.0 * one.size[0]; }) >= 2);
}

TEST_CASE("arrays are separate, pooled and misaligned in turn, until misaligned ones are refused") {
  const auto all = drawn_from(filters(), 7);
  for (const auto placement : {zones::guarded, zones::pooled, zones::misaligned})
    CHECK(std::ranges::count(all, placement, &drawn_size::placement) >= 10);

  const auto launcher = filters();
  size_drawer drawer{launcher, most, wanted, 7};
  drawer.only_aligned();
  for (unsigned i = 0; i < wanted; ++i) CHECK(drawer.next().placement != zones::misaligned);
}

TEST_CASE("a seed draws the same sizes again, another seed others") {
  CHECK(drawn_from(filters(), 7) == drawn_from(filters(), 7));
  CHECK_FALSE(drawn_from(filters(), 7) == drawn_from(filters(), 8));
}

TEST_CASE("a launcher with few sizes repeats them instead of never ending") {
  auto few = filters();
  few.axes = {"taps"};
  few.drawn_up_to = {2};
  few.cost = [](const problem_size&) { return problem_cost{.bytes = 1}; };
  CHECK(drawn_from(few, 1).size() == wanted);
}
