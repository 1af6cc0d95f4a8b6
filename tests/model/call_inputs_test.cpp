#include "model/call_inputs.hpp"

#include "catch.hpp"
#include "lab/lab_definition.hpp"

using namespace lab::judge;

namespace {

int drawings = 0;

auto draw(const lab::problem_size& size, lab::random& random) {
  ++drawings;
  return std::tuple{random.values({size[0]}), lab::output<float>({size[0]})};
}

auto draw_others(const lab::problem_size& size, lab::random& random) { return draw(size, random); }

template <class Make>
lab::launcher_spec launcher(Make make) {
  return lab::launcher<void(const float*, float*)>{.name = "f", .parameters = {"a", "b"}, .make = make};
}

}  // namespace

TEST_CASE("launchers that draw the same arguments share them") {
  drawings = 0;
  call_inputs inputs;
  const auto first = inputs.of(launcher(draw), {{100}}, 1);
  CHECK(inputs.of(launcher(draw), {{100}}, 1) == first);
  CHECK(drawings == 1);
  CHECK(inputs.of(launcher(draw), {{200}}, 1) != first);
  CHECK(inputs.of(launcher(draw), {{100}}, 2) != first);
  CHECK(inputs.of(launcher(draw_others), {{100}}, 1) != first);
  CHECK(drawings == 4);
}

TEST_CASE("what functions with a state draw is not shared, because it may differ") {
  call_inputs inputs;
  const auto with = [](int n) {
    return launcher([n](const lab::problem_size& size, lab::random& random) {
      return std::tuple{random.values({size[0] + n}), lab::output<float>({size[0]})};
    });
  };
  CHECK(inputs.of(with(1), {{100}}, 1) != inputs.of(with(2), {{100}}, 1));
}
