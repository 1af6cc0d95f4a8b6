#include "grade/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grade/lint/lazy_answers.hpp"
#include "judge/test_case.hpp"

namespace lab::grade {

namespace {

using bytes = std::span<const std::byte>;

constexpr std::uint64_t seed = 1234567, other_seed = 7654321;

std::vector<inputs> kinds_of(const launcher_spec& c) {
  if (c.floating) return {inputs::lattice, inputs::real};
  return {inputs::lattice};
}

arguments drawn(const launcher_spec& c, const problem_size& s, inputs kind, std::uint64_t from) {
  random r{from, kind};
  return c.make(s, r);
}

arguments answered(const host_function& f, arguments all) {
  allocate_outputs(all);
  f(all);
  return all;
}

// What the judge would get back from a kernel that leaves these outputs.
std::vector<std::byte> image_of(const judge::test_case& t, bytes before, const arguments& answer) {
  std::vector<std::byte> after{before.begin(), before.end()};
  for (std::size_t p = 0; p < answer.size(); ++p) {
    const auto& slot = t.where().slots[p];
    if (slot.writes)
      std::memcpy(after.data() + slot.offset + slot.guard, answer[p].bytes.data(), answer[p].bytes.size());
  }
  return after;
}

bool refused(const judge::test_case& t, const arguments& answer) {
  const auto before = t.arrays(1);
  return !t.accepts(before.view(), image_of(t, before.view(), answer));
}

bool same_outputs(const arguments& a, const arguments& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (is_output(a[p]) && a[p].bytes != b[p].bytes) return false;
  return true;
}

// All that is known of one case.
struct scene {
  const launcher_spec& c;
  problem_size s;
  inputs kind;
  judge::test_case t;
  arguments right;

  scene(const launcher_spec& launcher, const problem_size& of, inputs k)
      : c{launcher}, s{of}, kind{k}, t{launcher, of, seed, k}, right{answered(launcher.reference, t.given())} {}
};

using tries = std::vector<arguments>;

// One row in the making: the answers that it tries in each case.
struct question {
  lint_row row;
  bool may_be_right;  ///< a type that holds every value exactly cannot be rounded wrongly
  std::function<tries(const scene&)> answers;
};

using answer_maker = arguments (*)(const arguments& right, const arguments& given);

question lazy(const launcher_spec& c, const char* name, answer_maker make, bool may_be_right = false) {
  return {{c.name, name}, may_be_right, [make](const scene& x) { return tries{make(x.right, x.t.given())}; }};
}

arguments answer_of_another_call(const scene& x) {
  return answered(x.c.reference, drawn(x.c, x.s, x.kind, other_seed));
}

question old_answer(const launcher_spec& c) {
  return {
      {c.name, "the answer of another call"}, false, [](const scene& x) { return tries{answer_of_another_call(x)}; }};
}

// A kernel that knows the mean in general, but not that of this call.
question constant_answer(const launcher_spec& c) {
  return {{c.name, "a constant"}, false, [](const scene& x) { return tries{constant(answer_of_another_call(x))}; }};
}

// Replaces one input by that of another call; some case must notice.
question ignored_input(const launcher_spec& c, std::size_t p) {
  return {{c.name, fmt::format("`{}` is ignored", c.parameters[p])}, false, [p](const scene& x) {
            auto mixed = x.t.given();
            mixed[p] = drawn(x.c, x.s, x.kind, other_seed)[p];
            return tries{answered(x.c.reference, mixed)};
          }};
}

// The card's CPU programs add in other orders than its reference.
question other_orders(const launcher_spec& c) {
  return {{c.name, "sums in another order", 0, 0, true}, false, [](const scene& x) {
            tries all;
            for (const auto& program : {x.c.one_thread, x.c.all_threads, x.c.fast})
              if (program) all.push_back(answered(program, x.t.given()));
            const bool adds = x.c.allow.accumulated > 0 || x.c.allow.relative > 0;
            if (adds && x.kind == inputs::real) all.push_back(one_unit_off(x.right));
            return all;
          }};
}

std::vector<question> questions_for(const launcher_spec& c) {
  std::vector<question> all{lazy(c, "zeros", zeros), constant_answer(c),
                            lazy(c, "all but the last element", all_but_the_last),
                            lazy(c, "rounded to bfloat16", rounded_to_bfloat16, true), old_answer(c)};
  const auto given = drawn(c, c.check_sizes.front(), inputs::lattice, seed);
  if (std::ranges::any_of(given, is_input)) all.push_back(lazy(c, "an input", echo));
  for (std::size_t p = 0; p < given.size(); ++p)
    if (is_input(given[p])) all.push_back(ignored_input(c, p));
  all.push_back(other_orders(c));
  return all;
}

void judge_answer(lint_row& row, const scene& x, const arguments& answer) {
  if (!row.must_pass && same_outputs(x.right, answer)) return;
  ++row.cases;
  if (refused(x.t, answer)) ++row.refused;
}

std::string trouble_with(const question& q) {
  const auto& row = q.row;
  if (row.must_pass) return row.refused > 0 ? "is refused, though it is right" : "";
  if (row.cases == 0) return q.may_be_right ? "" : "is the right answer in every case";
  return row.refused == 0 ? "passes every case" : "";
}

std::vector<lint_row> lint_launcher(const launcher_spec& c) {
  if (c.check_sizes.empty()) return {{c.name, "cases", 0, 0, false, "there are none"}};
  auto questions = questions_for(c);
  for (const auto& s : c.check_sizes) {
    if (c.refuses && !c.refuses(s).empty()) continue;
    for (const auto kind : kinds_of(c)) {
      const scene x{c, s, kind};
      for (auto& q : questions)
        for (const auto& answer : q.answers(x)) judge_answer(q.row, x, answer);
    }
  }
  std::vector<lint_row> rows;
  for (auto& q : questions) {
    q.row.trouble = trouble_with(q);
    rows.push_back(std::move(q.row));
  }
  return rows;
}

}  // namespace

std::vector<lint_row> lint(const lab_definition& c) {
  std::vector<lint_row> all;
  for (const auto& launcher : c.launchers)
    for (auto& row : lint_launcher(launcher)) all.push_back(std::move(row));
  return all;
}

}  // namespace lab::grade
