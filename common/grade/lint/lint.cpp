#include "grade/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grade/lint/lazy_answers.hpp"
#include "judge/test_case.hpp"

namespace lab::grade {

namespace {

constexpr std::uint64_t seed = 1234567, other_seed = 7654321;

arguments answered(const host_function& program, arguments all) {
  allocate_outputs(all);
  program(all);
  return all;
}

bool refused(const judge::test_case& tested, const arguments& answer) {
  const auto before = tested.arrays(1);
  return !tested.accepts(before.view(), tested.answered(before.view(), answer));
}

bool same_outputs(const arguments& first, const arguments& second) {
  for (std::size_t p = 0; p < first.size(); ++p)
    if (is_output(first[p]) && first[p].bytes != second[p].bytes) return false;
  return true;
}

// A test case with its right answer.
struct solved_case {
  const launcher_spec& launcher;
  problem_size size;
  inputs kind;
  judge::test_case tested;
  arguments right;

  solved_case(const launcher_spec& spec, const problem_size& at, inputs drawn_as)
      : launcher{spec},
        size{at},
        kind{drawn_as},
        tested{spec, at, seed, drawn_as},
        right{answered(spec.reference, tested.given())} {}
};

using answers = std::vector<arguments>;

// Counts for one row: how many of these answers the judge refuses.
struct lint_check {
  lint_row row;
  bool may_be_right;  ///< rounding changes no value that the type holds exactly
  std::function<answers(const solved_case&)> make;
};

using answer_maker = arguments (*)(const arguments& right, const arguments& given);

lint_check lazy(const launcher_spec& launcher, const char* name, answer_maker make, bool may_be_right = false) {
  return {{launcher.name, name}, may_be_right, [make](const solved_case& solved) {
            return answers{make(solved.right, solved.tested.given())};
          }};
}

arguments answer_of_another_call(const solved_case& solved) {
  return answered(solved.launcher.reference, drawn(solved.launcher, solved.size, other_seed, solved.kind));
}

lint_check old_answer(const launcher_spec& launcher) {
  return {{launcher.name, "the answer of another call"}, false, [](const solved_case& solved) {
            return answers{answer_of_another_call(solved)};
          }};
}

// The mean of another call's answer: a lazy kernel can know a typical mean, but not this call's.
lint_check constant_answer(const launcher_spec& launcher) {
  return {{launcher.name, "a constant"}, false, [](const solved_case& solved) {
            return answers{constant(answer_of_another_call(solved))};
          }};
}

// Replaces one input by another call's. At least one case must notice.
lint_check ignored_input(const launcher_spec& launcher, std::size_t parameter) {
  return {{launcher.name, fmt::format("`{}` is ignored", launcher.parameters[parameter])},
          false,
          [parameter](const solved_case& solved) {
            auto mixed = solved.tested.given();
            mixed[parameter] = drawn(solved.launcher, solved.size, other_seed, solved.kind)[parameter];
            return answers{answered(solved.launcher.reference, mixed)};
          }};
}

// The lab's CPU programs add in other orders than its reference.
lint_check other_orders(const launcher_spec& launcher) {
  return {{launcher.name, "sums in another order", 0, 0, true}, false, [](const solved_case& solved) {
            const auto& spec = solved.launcher;
            answers all;
            for (const auto& program : {spec.one_thread, spec.all_threads, spec.fast})
              if (program) all.push_back(answered(program, solved.tested.given()));
            const bool adds = spec.allow.accumulated > 0 || spec.allow.relative > 0;
            if (adds && solved.kind == inputs::real) all.push_back(one_unit_off(solved.right));
            return all;
          }};
}

std::vector<lint_check> checks_for(const launcher_spec& launcher) {
  std::vector<lint_check> all{lazy(launcher, "zeros", zeros), constant_answer(launcher),
                              lazy(launcher, "all but the last element", all_but_the_last),
                              lazy(launcher, "rounded to bfloat16", rounded_to_bfloat16, true), old_answer(launcher)};
  const auto given = drawn(launcher, launcher.check_sizes.front(), seed, inputs::lattice);
  if (std::ranges::any_of(given, is_input)) all.push_back(lazy(launcher, "an input", echo));
  for (std::size_t p = 0; p < given.size(); ++p)
    if (is_input(given[p])) all.push_back(ignored_input(launcher, p));
  all.push_back(other_orders(launcher));
  return all;
}

void judge_answer(lint_row& row, const solved_case& solved, const arguments& answer) {
  if (!row.must_pass && same_outputs(solved.right, answer)) return;
  ++row.cases;
  if (refused(solved.tested, answer)) ++row.refused;
}

std::string trouble_with(const lint_check& check) {
  const auto& row = check.row;
  if (row.must_pass) return row.refused > 0 ? "is right, but some case refuses it" : "";
  if (row.cases == 0) return check.may_be_right ? "" : "is the right answer in every case";
  return row.refused == 0 ? "passes every case" : "";
}

std::vector<lint_row> lint_launcher(const launcher_spec& launcher) {
  if (launcher.check_sizes.empty()) return {{launcher.name, "cases", 0, 0, false, "has no case sizes"}};
  auto checks = checks_for(launcher);
  for (const auto& size : launcher.check_sizes) {
    if (lab::refused(launcher, size)) continue;
    for (const auto kind : kinds_of(launcher)) {
      const solved_case solved{launcher, size, kind};
      for (auto& check : checks)
        for (const auto& answer : check.make(solved)) judge_answer(check.row, solved, answer);
    }
  }
  std::vector<lint_row> rows;
  for (auto& check : checks) {
    check.row.trouble = trouble_with(check);
    rows.push_back(std::move(check.row));
  }
  return rows;
}

}  // namespace

std::vector<lint_row> lint(const lab_definition& definition) {
  std::vector<lint_row> all;
  for (const auto& launcher : definition.launchers)
    for (auto& row : lint_launcher(launcher)) all.push_back(std::move(row));
  return all;
}

}  // namespace lab::grade
