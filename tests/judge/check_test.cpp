#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "lab/backend.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

struct expectation {
  std::string kernel;
  lab::verdict_kind verdict;
  std::string diagnosis, message;  // the message must contain this
};

}  // namespace

TEST_CASE("a right kernel passes every case, with the seed on record") {
  const auto r = checked("right");
  CHECK(r.verdict == verdict_kind::pass);
  CHECK(r.cases.size() == 5);
  for (const auto& c : r.cases) {
    CHECK(c.message == "");
    CHECK(c.verdict == verdict_kind::pass);
    CHECK(c.seed == 11);
  }
}

TEST_CASE("each way to be wrong gets its own verdict, and words that name the cause") {
  const std::vector<expectation> all{
      {"no_guard", verdict_kind::out_of_bounds, "missing_guard", "1 to 255 elements past the end"},
      {"one_past_the_end", verdict_kind::out_of_bounds, "off_by_one", "1 element past the end"},
      {"before_the_start", verdict_kind::out_of_bounds, "negative_index", "1 element in front of"},
      {"writes_its_input", verdict_kind::input_modified, "", "`in` is an input"},
      {"echo", verdict_kind::wrong_answer, "echo", "out[0] is"},
      {"too_many_threads", verdict_kind::launch_error, "bad_launch", "cudaErrorInvalid"},
      {"segfault", verdict_kind::crash, "", "SIGSEGV"},
      {"prints_pass_and_exits", verdict_kind::exited_early, "", "exit code 0"},
      {"exits_on_loading", verdict_kind::exited_early, "", "exit code 0"},
      {"prints_without_end", verdict_kind::output_limit, "", "8 MiB"},
      {"misspelt", verdict_kind::compile_error, "", "void twice(const int*, int*, int)"},
      {"wrong_type", verdict_kind::compile_error, "", "void twice(const int*, int*, int)"},
      {"forges_an_answer", verdict_kind::protocol_violation, "", "not a valid reply"},
      {"closes_the_connection", verdict_kind::protocol_violation, "", "closed its connection"},
      {"right_at_first", verdict_kind::nondeterministic, "nondeterministic", "Of two calls"},
      {"wrong_then_no_launch", verdict_kind::wrong_answer, "nondeterministic", "never written"},
      {"answers_from_memory", verdict_kind::wrong_answer, "untouched", "never written"},
  };
  for (const auto& e : all) {
    const auto found = failure_of(checked(e.kernel));
    INFO(e.kernel << ": " << found.message);
    CHECK(word(found.verdict) == word(e.verdict));
    CHECK(word(found.diagnosis) == e.diagnosis);
    CHECK(contains(found.message, e.message));
  }
}

TEST_CASE("beside a stray store it is said whether the rest is right") {
  CHECK(contains(failure_of(checked("no_guard")).message, "All elements inside the arrays are right."));
}

TEST_CASE("what an exiting kernel printed is shown, and counts for nothing") {
  const auto r = checked("prints_pass_and_exits");
  CHECK(r.verdict == verdict_kind::exited_early);
  CHECK(contains(failure_of(r).message, "PASS 100/100"));
}

TEST_CASE("a hanging kernel ends at its limit, and the cases after it are not waited for") {
  const auto r = checked("hangs", 1);
  CHECK(r.verdict == verdict_kind::timeout);
  CHECK(contains(failure_of(r).message, "within 1 s"));
  CHECK(r.cases.back().verdict == verdict_kind::skipped);
  CHECK(std::ranges::count(r.cases, verdict_kind::timeout, &case_result::verdict) == 1);
}

TEST_CASE("a compiler's error names the student's own file and line") {
  const auto found = failure_of(checked("syntax_error"));
  CHECK(found.verdict == verdict_kind::compile_error);
  CHECK(contains(found.message, "syntax_error.cu:5"));
}

TEST_CASE("a kernel that does not exist is a compile error that names it") {
  CHECK(contains(failure_of(checked("no_such_kernel")).message, "no_such_kernel.cu"));
}

TEST_CASE("a back end that the lab does not list is skipped, with the reason") {
  auto lab = twice_lab();
  lab.definition.backends = {"cuda"};
  const auto r = check(lab, kernel("right"), {});
  CHECK(r.verdict == verdict_kind::skipped);
  CHECK(contains(failure_of(r).message, "sim"));
}

TEST_CASE("a size that the lab refuses passes if the launcher leaves the output alone, and fails if it does not") {
  auto lab = twice_lab();
  lab.definition.launchers[0].refuses = [](const lab::problem_size& s) {
    return s[0] > 900 ? "over 900 elements" : "";
  };
  CHECK(failure_of(check(lab, kernel("right"), {})).name() == "1000");
  lab.definition.launchers[0].check_sizes = {{1000}};
  CHECK(check(lab, kernel("refuses_after_a_failed_call"), {}).verdict == verdict_kind::pass);
}

TEST_CASE("a launch that CUDA refuses is no refusal by the launcher") {
  auto lab = twice_lab();
  lab.definition.launchers[0].refuses = [](const lab::problem_size&) { return "too large"; };
  lab.definition.launchers[0].check_sizes = {{1000}};
  const auto found = failure_of(check(lab, kernel("too_many_threads"), {}));
  CHECK(word(found.verdict) == "launch_error");
  CHECK(word(found.diagnosis) == "bad_launch");
  CHECK(contains(found.message, "must refuse this size before it launches a kernel: too large."));
  CHECK(contains(found.message, "was not launched"));
  CHECK(failure_of(check(lab, kernel("no_guard"), {})).verdict == verdict_kind::out_of_bounds);
}

TEST_CASE("asking for a size of the wrong number of extents is a usage error") {
  check_options o;
  o.sizes = {{3, 4}};
  CHECK_THROWS_AS(check(twice_lab(), kernel("right"), o), lab::usage_error);
}

TEST_CASE("the JSON of a check survives what is not UTF-8") {
  const case_result crashed{{case_phase::values, "twice", {1}}, 3, verdict_kind::crash, "\xff\xfe"};
  const check_result r{"90_twice", "file", verdict_kind::crash, {crashed}};
  const auto document = to_json(r);
  CHECK_NOTHROW(document.dump());
  CHECK(document["cases"][0]["verdict"] == "crash");
}
