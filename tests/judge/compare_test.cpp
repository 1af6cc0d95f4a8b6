#include "judge/compare.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();

template <class T>
comparison compared(const std::vector<T>& actual, const std::vector<T>& expected, const tolerance& allow = {},
                    const std::vector<T>& magnitude = {}, const std::vector<T>& before = {}) {
  const auto was = before.empty() ? std::vector<T>(actual.size(), T(77)) : before;
  const auto raw = [](const auto& v) { return std::as_bytes(std::span{v}); };
  return compare({element_of<T>(), raw(actual), raw(was), raw(expected), raw(magnitude)}, allow);
}

bool right(float actual, float expected, const tolerance& allow = {}) {
  return compared<float>({actual}, {expected}, allow).wrong == 0;
}

}  // namespace

TEST_CASE("integers must agree exactly, whatever the tolerance") {
  const auto c = compared<int>({1, 2, 4}, {1, 2, 3}, {.absolute = 10, .relative = 10});
  CHECK(c.wrong == 1);
  CHECK(c.first == 2);
  CHECK(compared<int>({9, 2, 9}, {1, 2, 3}).first == 0);
  CHECK(compared<int>({1, 2, 3}, {1, 2, 3}).states.empty());
}

TEST_CASE("NaN is never right, on either side, at any tolerance") {
  const tolerance generous{.absolute = 1e30, .relative = 1e30, .accumulated = 1e30};
  CHECK_FALSE(right(not_a_number, 1, generous));
  CHECK_FALSE(right(1, not_a_number, generous));
  CHECK_FALSE(right(not_a_number, not_a_number, generous));
  CHECK(compared<double>({std::nan("")}, {1.0}, generous).wrong == 1);
}

TEST_CASE("an infinity is right only where that very infinity is expected") {
  const tolerance generous{.absolute = 1e30, .relative = 1};
  CHECK(right(infinity, infinity));
  CHECK_FALSE(right(-infinity, infinity, generous));
  CHECK_FALSE(right(3e38f, infinity, generous));
  CHECK_FALSE(right(infinity, 3e38f, generous));
}

TEST_CASE("an infinity is wrong however much the tolerance allows, and an overflowed magnitude allows nothing") {
  const tolerance sum{.absolute = 0.5, .accumulated = 4};
  CHECK(compared<float>({infinity}, {1}, sum, {infinity}).wrong == 1);
  CHECK(compared<float>({-infinity}, {1}, sum, {infinity}).wrong == 1);
  CHECK(compared<float>({7}, {1}, sum, {infinity}).wrong == 1);
  CHECK(compared<float>({1.25f}, {1}, sum, {infinity}).wrong == 0);
  CHECK(compared<float>({1.25f}, {1}, sum, {not_a_number}).wrong == 0);
  const double huge = std::numeric_limits<double>::infinity();
  CHECK(compared<double>({huge}, {1e300}, {.relative = 1e30}).wrong == 1);
}

TEST_CASE("each part of the tolerance lets just as much through as it says") {
  CHECK(right(10.5f, 10, {.absolute = 0.5}));
  CHECK_FALSE(right(10.51f, 10, {.absolute = 0.5}));
  CHECK(right(101, 100, {.relative = 0.01}));
  CHECK_FALSE(right(102, 100, {.relative = 0.01}));
  const double epsilon = std::numeric_limits<float>::epsilon();
  const tolerance sum{.accumulated = 4};
  CHECK(compared<double>({3.9 * epsilon * 1000}, {0}, sum, {1000}).wrong == 0);
  CHECK(compared<double>({4.1 * epsilon * 1000}, {0}, sum, {1000}).wrong == 1);
  const tolerance both{.absolute = 0.5, .accumulated = 4 / epsilon};
  CHECK(compared<double>({10.5}, {10}, both).wrong == 0);
  CHECK(compared<double>({10.51}, {10}, both).wrong == 1);
}

TEST_CASE("without a tolerance one unit in the last place is wrong, but minus zero is zero") {
  CHECK_FALSE(right(std::nextafter(1.0f, 2.0f), 1));
  CHECK(right(-0.0f, 0.0f));
}

TEST_CASE("a wrong element that still has its old bits counts as untouched") {
  const auto c = compared<int>({5, 5, 3, 9}, {1, 2, 3, 4}, {}, {}, {5, 6, 3, 9});
  CHECK(c.wrong == 3);
  CHECK(c.untouched == 2);
  CHECK(c.states ==
        std::vector{element_state::untouched, element_state::wrong, element_state::right, element_state::untouched});
}

TEST_CASE("an array too short for its reference is an error, not a pass") {
  const std::vector<int> three{1, 2, 3}, two{1, 2};
  const auto raw = [](const auto& v) { return std::as_bytes(std::span{v}); };
  CHECK_THROWS_WITH(compare({element::i32, raw(two), raw(two), raw(three), {}}, {}),
                    "comparing arrays of different sizes");
  CHECK_THROWS_AS(compare({element::i32, raw(two), raw(three), raw(three), {}}, {}), std::logic_error);
}

TEST_CASE("magnitudes or old contents of another length than the reference are an error, not read past their end") {
  const std::vector<float> one{1}, two{1, 2}, three{1, 2, 3};
  const auto raw = [](const auto& v) { return std::as_bytes(std::span{v}); };
  const auto check = [&](const auto& before, const auto& magnitude) {
    return compare({element::f32, raw(two), raw(before), raw(two), raw(magnitude)}, {.accumulated = 1}).wrong;
  };
  CHECK(check(two, two) == 0);
  CHECK(check(two, std::vector<float>{}) == 0);
  for (const auto& other : {one, three}) {
    CHECK_THROWS_AS(check(two, other), std::logic_error);
    CHECK_THROWS_AS(check(other, two), std::logic_error);
  }
}

TEST_CASE("one wrong element among millions is found, wherever it lies") {
  for (const std::size_t at : {0u, 65'535u, 65'536u, 2'999'999u}) {
    std::vector<int> expected(3'000'000, 1), actual = expected;
    actual[at] = 2;
    const auto c = compared(actual, expected);
    CHECK(c.wrong == 1);
    CHECK(c.first == static_cast<std::int64_t>(at));
  }
}

TEST_CASE("every element type is compared as what it is") {
  CHECK(compared<unsigned char>({255}, {255}).wrong == 0);
  CHECK(compared<unsigned short>({65535}, {65534}).wrong == 1);
  CHECK(compared<long>({1L << 60}, {(1L << 60) + 1}).wrong == 1);
  CHECK(compared<unsigned>({4'000'000'000u}, {4'000'000'000u}).wrong == 0);
}
