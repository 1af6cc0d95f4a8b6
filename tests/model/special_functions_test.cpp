#include <string>

#include "catch.hpp"
#include "dumped_loop.hpp"

using namespace lab::judge;
using namespace lab::judge::dumped;

namespace {

constexpr double instructions_of_root = 10;

// The loop without a barrier, whose iterations call rsqrtf so often. Its multiply-add is part of what waits.
kernel_profile with_roots(int count) {
  auto loop = without_barrier();
  const std::string fma = "  [/a/kernel.cu:8:9] sum_9";
  for (int i = 0; i < count; ++i)
    loop.insert(loop.find(fma),
                "  [/sim/include/lab_sim/math/math.h:16:48] _3" + std::to_string(i) + " = sqrtf (_8);\n");
  return read_profiles(loop, lines).at(0);
}

double turns_of(int roots) {
  return (with_roots(roots).serial - with_roots(0).serial + (roots > 2 ? 640 : 0)) / 640 / instructions_of_root;
}

}  // namespace

TEST_CASE("reciprocal roots of one iteration take turns when the thread's values leave them few predicates") {
  CHECK(turns_of(1) == 0);
  CHECK(turns_of(2) == 0);  // three are free
  CHECK(turns_of(3) == Approx(2));
  CHECK(turns_of(4) == Approx(4));
  CHECK(turns_of(8) == Approx(8));
}

TEST_CASE("a maximum or minimum is one instruction") {
  const auto with = [](const std::string& name) {
    auto loop = without_barrier();
    loop.insert(loop.find("  [/a/kernel.cu:8:9] sum_9"), "  [/a/kernel.cu:7:9] _12 = " + name + " (_7, _8);\n");
    return read_profiles(loop, lines).at(0).instructions - read_profiles(without_barrier(), lines).at(0).instructions;
  };
  CHECK(with("fmaxf") == Approx(640));
  CHECK(with("fminf") == Approx(640));
  CHECK(with("expf") == Approx(10 * 640));
}
