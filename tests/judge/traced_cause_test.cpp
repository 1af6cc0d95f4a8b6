#include "judge/traced_cause.hpp"

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

struct run {
  traced_call call{.verdict = verdict_kind::pass, .reported = true};
  arguments given{};
  std::filesystem::path source{"kernel.cu"};

  run& with(const std::string& kind, const std::string& space, const std::string& severity = "error",
            const std::string& message = "it happened") {
    call.report.hazards.push_back(
        {.kind = kind, .severity = severity, .kernel = "k", .file = "other.cu", .space = space, .message = message});
    return *this;
  }
  std::optional<diagnosis> cause(diagnosis_kind guess) const {
    return cause_by_trace({guess, "First sentence. Second?"}, {call, "33x64", source, given});
  }
  std::string word_for(diagnosis_kind guess) const {
    const auto found = cause(guess);
    return found ? std::string{word(found->kind)} : "-";
  }
};

}  // namespace

TEST_CASE("a race takes the place of a guess from the pattern") {
  using enum diagnosis_kind;
  for (const auto guess : {every_kth, scattered, partial_block, missing_barrier, nondeterministic})
    CHECK(run{}.with("race", "shared").word_for(guess) == "missing_barrier");
  CHECK(run{}.with("race", "shared").cause(scattered)->text.find("The traced run at 33x64 shows: race in k") == 0);
}

TEST_CASE("a guess that explains a fact stays, with the fact's place") {
  using enum diagnosis_kind;
  const auto kept = run{}.with("out_of_bounds", "global").cause(rows_and_columns_swapped);
  REQUIRE(kept);
  CHECK(kept->kind == rows_and_columns_swapped);
  CHECK(kept->text.find("shows where:") != std::string::npos);
  CHECK(run{}.with("uninitialized_read", "global").word_for(adds_to_output) == "adds_to_output");
  CHECK(run{}.with("uninitialized_read", "shared").word_for(constant_factor) == "uninitialized_read");
  CHECK(run{}.with("uninitialized_read", "shared").word_for(rows_and_columns_swapped) == "rows_and_columns_swapped");
  CHECK(run{}.with("uninitialized_read", "global").word_for(bad_copy) == "bad_copy");
  const auto copy = run{}.with("uninitialized_read", "global").cause(bytes_for_elements);
  REQUIRE(copy);
  CHECK(copy->text == "First sentence. Second?");  // the line is in host code, and the trace names one of the kernel
}

TEST_CASE("a fact may exclude a guess about the grid") {
  using enum diagnosis_kind;
  CHECK(run{}
            .with("race", "global", "error", "this thread writes what block number 0 writes")
            .word_for(first_block_only) == "first_block_only");
  CHECK(run{}
            .with("race", "global", "error", "this thread writes what thread (1, 0, 0) writes")
            .word_for(first_block_only) == "race");
  CHECK(run{}
            .with("uninitialized_read", "global", "error", "byte 8 of allocation 3 (cudaMalloc, 64 bytes) is read")
            .word_for(stops_short) == "stops_short");
  auto one_kernel = run{}.with("uninitialized_read", "global", "error", "byte 8 of `bins` (64 bytes) is read");
  one_kernel.call.report.launches.resize(1);
  CHECK(one_kernel.word_for(stops_short) == "uninitialized_read");
  one_kernel.call.report.launches.resize(2);  // the first may have too few threads
  CHECK(one_kernel.word_for(stops_short) == "stops_short");
}

TEST_CASE("of several hazards the one that causes the others is named") {
  using enum diagnosis_kind;
  CHECK(run{}.with("race", "shared").with("divergent_barrier", "").word_for(scattered) == "divergent_barrier");
  CHECK(run{}.with("uninitialized_read", "shared").with("race", "shared").word_for(scattered) == "missing_barrier");
  CHECK(run{}.with("race", "shared").with("misaligned", "global").word_for(missing_guard) == "misaligned");
  CHECK(run{}.with("leak", "global", "warning").word_for(off_by_one) == "-");
}

TEST_CASE("a barrier that some threads pass by is a cause though the hazard is a warning") {
  CHECK(run{}.with("divergent_barrier", "", "warning").word_for(diagnosis_kind::partial_block) == "divergent_barrier");
}

TEST_CASE("a trace without hazards contradicts a missing barrier, and a trace that broke off contradicts nothing") {
  using enum diagnosis_kind;
  CHECK(run{}.word_for(missing_barrier) == "wrong_index");
  CHECK(run{}.cause(missing_barrier)->text.find("First sentence. The traced run at 33x64 found no race") == 0);
  CHECK(run{}.word_for(off_by_one) == "-");
  CHECK(run{}.cause(nondeterministic)->text.find("__syncthreads") == std::string::npos);
  run broken;
  broken.call.verdict = verdict_kind::timeout;
  CHECK(broken.word_for(missing_barrier) == "-");
}

TEST_CASE("an access outside an array from a block in the middle of the grid is a wrong index, not a missing guard") {
  run middle;
  middle.with("out_of_bounds", "global");
  middle.call.report.launches.push_back({.kernel = "k", .grid = {4, 1, 1}});
  middle.call.report.hazards[0].block = {2, 0, 0};
  CHECK(middle.word_for(diagnosis_kind::missing_guard) == "wrong_index");
  middle.call.report.hazards[0].block = {3, 0, 0};
  CHECK(middle.word_for(diagnosis_kind::missing_guard) == "missing_guard");
  middle.given = {{parameter_role::output, element::f32, {100, 100}, {}}};
  middle.call.report.hazards[0].block = {2, 0, 0};  // the only row of blocks is the last as well
  CHECK(middle.word_for(diagnosis_kind::missing_guard) == "missing_guard");
}

TEST_CASE("stores of several blocks in one element begin with the index, and end with the place") {
  const auto found = run{}
                         .with("race", "global", "error",
                               "this thread writes what block number 0 writes; only one of the two values remains")
                         .cause(diagnosis_kind::scattered);
  REQUIRE(found);
  CHECK(found->text.find("Two blocks store different values in one element. If each element has one writer, the index "
                         "is wrong") == 0);
}
