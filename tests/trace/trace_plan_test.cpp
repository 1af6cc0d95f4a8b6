#include "trace/trace_plan.hpp"

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

// A call at size n costs half of n million accesses.
lab_definition costly(std::vector<problem_size> sizes) {
  auto definition = twice_lab().definition;
  auto& launcher = definition.launchers[0];
  launcher.check_sizes = std::move(sizes);
  launcher.cost = [](const problem_size& size) { return problem_cost{.operations = 3e5 * size[0]}; };
  return definition;
}

std::vector<problem_size> sizes(const std::vector<trace_target>& targets) {
  std::vector<problem_size> all;
  for (const auto& at : targets) all.push_back(at.size);
  return all;
}

using list = std::vector<problem_size>;

}  // namespace

TEST_CASE("a check traces its smallest sizes as far as the budget goes, and looks at the rest") {
  const auto definition = costly({{200}, {2}, {1}, {3}});
  const auto plan = plan_traces(definition, {}, false);
  CHECK(sizes(plan.traced) == list{{1}, {2}});
  CHECK(sizes(plan.rest) == list{{3}, {200}});
  CHECK(affordable(plan.rest[0]));
  CHECK_FALSE(affordable(plan.rest[1]));
}

TEST_CASE("a check does not even look at a size that would take long, unless it is the only one or all are traced") {
  const auto definition = costly({{1}, {600}, {2000}, {5000}});
  const auto plan = plan_traces(definition, {}, false);
  CHECK(sizes(plan.rest) == list{{600}});
  CHECK(sizes(plan.large) == list{{2000}, {5000}});
  CHECK(sizes(plan_traces(definition, {{5000}}, false).traced) == list{{5000}});
  CHECK(plan_traces(definition, {}, true).large.empty());
}

TEST_CASE("of a launcher whose trace takes no longer than a run, a check traces large sizes, too") {
  auto definition = costly({{200}, {2}, {5000}, {3}, {1000}});
  definition.launchers[0].traces_large_sizes = true;
  const auto plan = plan_traces(definition, {}, false);
  CHECK(sizes(plan.traced) == list{{2}, {3}, {200}});
  CHECK(sizes(plan.rest) == list{{1000}});
  CHECK(sizes(plan.large) == list{{5000}});
}

TEST_CASE("the largest of several sizes is traced first, and then the others in their order") {
  const auto definition = costly({{1}});
  const auto* const launcher = &definition.launchers[0];
  CHECK(largest_first({{launcher, {1}}, {launcher, {2}}, {launcher, {9}}, {launcher, {4}}}) ==
        std::vector<std::size_t>{2, 0, 1, 3});
  CHECK(largest_first({}).empty());
}

TEST_CASE("of the traced calls of a launcher, those with the least and the most work are found") {
  auto definition = costly({{1}});
  definition.launchers.push_back(definition.launchers[0]);
  const auto *first = &definition.launchers[0], *second = &definition.launchers[1];
  const std::vector<trace_target> traced{{first, {3}}, {second, {9}}, {first, {1}}, {first, {5}}, {first, {2}}};
  CHECK(smallest_and_largest(*first, traced) == list{{1}, {5}});
  CHECK(smallest_and_largest(*second, traced) == list{{9}});
  CHECK(smallest_and_largest(*first, {}).empty());
}

TEST_CASE("a check traces one size of a launcher even if all are large, and every size if asked to") {
  const auto definition = costly({{90}, {80}});
  CHECK(sizes(plan_traces(definition, {}, false).traced) == list{{80}});
  const auto all = plan_traces(definition, {}, true);
  CHECK(sizes(all.traced) == list{{80}, {90}});
  CHECK(all.rest.empty());
}

TEST_CASE("the sizes of gates are traced at once, also where the check itself does not use them") {
  auto definition = costly({{1}, {90}});
  definition.launchers[0].gates = {{.at = {90}}, {.at = {70}}};
  const auto plan = plan_traces(definition, {}, false);
  CHECK(sizes(plan.traced) == list{{1}, {90}, {70}});
  CHECK(plan.rest.empty());
}

TEST_CASE("sizes that were asked for replace the lab's own, and refused sizes are not traced") {
  auto definition = costly({{1}, {2}});
  CHECK(sizes(plan_traces(definition, {{3}, {2}}, false).traced) == list{{2}});
  CHECK(plan_traces(definition, {{3, 3}}, false).traced.empty());
  definition.launchers[0].refuses = [](const problem_size& size) { return size[0] == 1 ? "too small" : ""; };
  CHECK(sizes(plan_traces(definition, {}, false).traced) == list{{2}});
}

TEST_CASE("a failure is traced at the largest of its sizes that takes no time") {
  const auto launcher = costly({}).launchers[0];
  CHECK(telling_size(launcher, {{8}, {2}, {1}, {4}}) == problem_size{2});
  CHECK(telling_size(launcher, {{8}, {6}}) == problem_size{6});
  const auto cheap = twice_lab().definition.launchers[0];
  CHECK(telling_size(cheap, {{100}, {1 << 20}, {200}}) == problem_size{200});
}
