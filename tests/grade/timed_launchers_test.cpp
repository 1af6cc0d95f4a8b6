#include <map>
#include <memory>

#include "build/kernel_variant.hpp"
#include "catch.hpp"
#include "grade/job/graded_speed.hpp"

using namespace lab;
using namespace lab::grade;

// Whole launchers are timed on the simulator here, in place of a GPU.

namespace {

row timed(const entry& lab, const speed_rule& rule) {
  const lab_policy rules{.speed = {rule}};
  judge::check_options options;
  options.seed = 11;
  row graded{.key = "k", .student = "ada", .lab = lab.name};
  add_speed(graded, lab, judge::solution_of(lab), {rules, speed_clock::host}, options);
  return graded;
}

host_function counted(host_function program, const std::shared_ptr<int>& calls) {
  if (!program) return {};
  return [program = std::move(program), calls](arguments& all) {
    ++*calls;
    program(all);
  };
}

}  // namespace

TEST_CASE("a rule without a launcher times the first launcher that takes its size") {
  auto lab = find("10");
  std::map<std::string, std::shared_ptr<int>> calls;
  for (auto& launcher : lab.definition.launchers) {
    calls[launcher.name] = std::make_shared<int>(0);
    launcher.fast = counted(launcher.fast, calls[launcher.name]);
  }
  const auto graded = timed(lab, {.launcher = "", .size = {100, 2, 96}, .points = 1});
  CHECK(graded.speed.size() == 1);
  for (const auto& [name, count] : calls) {
    INFO(name);
    CHECK((*count > 0) == (name == "increment_with"));
  }
}

TEST_CASE("no CPU program is timed: they only compute what the student's calls must give") {
  auto lab = find("01");
  const auto slow = std::make_shared<int>(0), fast = std::make_shared<int>(0);
  for (auto& launcher : lab.definition.launchers) {
    for (auto* program : {&launcher.reference, &launcher.one_thread, &launcher.all_threads})
      *program = counted(*program, slow);
    launcher.fast = counted(launcher.fast, fast);
  }
  const auto graded = timed(lab, {.launcher = "", .size = {1000}, .points = 1});
  REQUIRE(graded.speed.size() == 1);
  CHECK(*slow == 0);
  constexpr int students_calls = 16, solutions_cases = 2;
  CHECK(*fast == students_calls + solutions_cases);
}
