#include "bench/size_sweep.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

// The simulator's runner stands in for a GPU's: its times mean nothing, but it takes the same way.

namespace {

size_sweep_options few_sizes() {
  size_sweep_options options;
  options.sizes_to_draw = 6;
  options.most_bytes = 1e5;
  options.repeats = 3;
  options.seed = 5;
  return options;
}

size_row row_with(std::vector<size_rival> rivals, problem_size size = {1}) {
  size_row row{.at = {std::move(size)}, .rivals = std::move(rivals)};
  row.ours = {.median = 1, .count = 3};
  return row;
}

size_rival rival_with(const std::string& name, double ratio, bool judged = true) {
  return {name, ratio, {ratio, ratio, ratio, 3}, judged};
}

}  // namespace

TEST_CASE("a sweep times the kernel and every right rival at each drawn size") {
  const auto result = sweep_sizes(twice_lab(), kernel("right"), few_sizes());
  REQUIRE(result.rows.size() == 6);
  CHECK(result.launcher == "twice");
  for (const auto& row : result.rows) {
    INFO(row.at.size.name() << " " << row.message);
    CHECK(row.verdict == verdict_kind::pass);
    CHECK(row.cost.bytes <= 1e5);
    CHECK(row.ours.count == 3);
    CHECK(row.against_itself.count == 3);
    REQUIRE(row.rivals.size() == 3);
    CHECK(row.rivals[0].name == "solution");
    CHECK(row.rivals[1].name == "by_shift");
    CHECK(row.rivals[2].name == "copy");
    CHECK_FALSE(row.rivals[2].judged);
    REQUIRE(row.best());
    CHECK(row.best()->name != "copy");
  }
  const auto document = to_json(result);
  CHECK(document["summary"]["sizes"] == 6);
  CHECK(document["summary"]["rivals"].size() == 3);
  CHECK(document["results"][0]["ratio"] > 0.0);
}

TEST_CASE("a kernel that fails at some sizes has failure rows there, and the sweep goes on") {
  auto options = few_sizes();
  options.sizes_to_draw = 4;
  const auto result = sweep_sizes(twice_lab(), kernel("no_guard"), options);
  REQUIRE(result.rows.size() == 4);
  const auto all = summary_of(result);
  CHECK(all.failures.size() >= 1);
  for (const auto* row : all.failures) {
    CHECK(row->verdict == verdict_kind::out_of_bounds);
    CHECK_FALSE(row->message.empty());
    CHECK(row->ours.count == 0);
  }
  CHECK(to_json(result)["summary"]["failures"] == all.failures.size());
}

TEST_CASE("a kernel that does not compile, or lacks the launcher, has one failure row") {
  for (const auto* const name : {"syntax_error", "misspelt"}) {
    const auto result = sweep_sizes(twice_lab(), kernel(name), few_sizes());
    REQUIRE(result.rows.size() == 1);
    CHECK(result.rows[0].verdict == verdict_kind::compile_error);
  }
}

TEST_CASE("the summary compares with the best judged rival and names the worst size and the losses") {
  size_sweep_result result;
  result.rows = {row_with({rival_with("naive", 4), rival_with("library", 2)}, {1}),
                 row_with({rival_with("naive", 3), rival_with("library", 0.5)}, {2}),
                 row_with({rival_with("naive", 0.99), rival_with("copy", 0.1, false)}, {3})};
  result.rows.push_back({.at = {{4}}, .verdict = verdict_kind::launch_error, .message = "too many threads"});
  const auto all = summary_of(result);
  CHECK(std::abs(all.geometric_mean - std::cbrt(2 * 0.5 * 0.99)) < 1e-12);
  REQUIRE(all.worst);
  CHECK(all.worst->at.size.name() == "2");
  REQUIRE(all.losses.size() == 1);  // 0.99 is within the noise
  CHECK(all.losses[0] == all.worst);
  REQUIRE(all.failures.size() == 1);
  CHECK(all.failures[0]->at.size.name() == "4");

  const auto summary = to_json(result)["summary"];
  CHECK(summary["worst"]["ratio"] == 0.5);
  CHECK(summary["rivals"][0]["name"] == "copy");
  CHECK(summary["rivals"][0]["judged"] == false);
  CHECK(summary["rivals"][1]["worst"]["size"] == "2");
}

TEST_CASE("the launcher to sweep is the last with device pointers") {
  auto two = twice_lab();
  two.definition.launchers.push_back(two.definition.launchers[0]);
  two.definition.launchers[1].name = "twice_host";
  two.definition.launchers[1].memory = memory_space::host;
  CHECK(launcher_to_sweep(two).name == "twice");
  two.definition.launchers.erase(two.definition.launchers.begin());
  CHECK_THROWS_AS(launcher_to_sweep(two), usage_error);
}
