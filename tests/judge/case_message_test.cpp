#include "judge/case_message.hpp"

#include "build/lab_builds.hpp"
#include "catch.hpp"
#include "fixtures/diagnoses.hpp"
#include "judge/failing_sizes.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

judged_case failed(const problem_size& s, verdict_kind v, std::vector<std::string> words) {
  judged_case c{{.size = s}, {v, "what\n", {}, {}}};
  for (const auto& w : words) c.found.why.push_back({lab_test::diagnosis_of_word(w), "text of " + w});
  return c;
}
judged_case wrong(const problem_size& s, std::vector<std::string> words) {
  return failed(s, verdict_kind::wrong_answer, words);
}
judged_case passed(const problem_size& s) { return failed(s, verdict_kind::pass, {}); }

std::vector<std::string> words_after(std::vector<judged_case> cases) {
  compare_cases(cases);
  std::vector<std::string> words;
  for (const auto& c : cases) words.emplace_back(c.found.why.empty() ? "-" : word(c.found.why.front().kind));
  return words;
}
using words = std::vector<std::string>;

}  // namespace

TEST_CASE("what fits most cases beats what fits one better") {
  CHECK(words_after({wrong({33, 33}, {"last_element", "partial_block"}), wrong({100, 100}, {"partial_block"}),
                     passed({32, 32})}) == words{"partial_block", "partial_block", "-"});
}

TEST_CASE("a diagnosis that accounts for every element beats one that fits more cases") {
  auto exact = failed({5, 7}, verdict_kind::out_of_bounds, {"wrong_index", "missing_guard"});
  exact.found.why.front().exact = true;
  const auto other = failed({100, 90}, verdict_kind::out_of_bounds, {"missing_guard"});
  CHECK(words_after({exact, other, passed({32, 32})}) == words{"wrong_index", "wrong_index", "-"});
}

TEST_CASE("a case too small for a pattern takes over the diagnosis of a larger one, and says so") {
  std::vector<judged_case> cases{wrong({1}, {"untouched"}), wrong({100}, {"last_element"})};
  compare_cases(cases);
  CHECK(word(cases[0].found.why.front().kind) == "last_element");
  CHECK(cases[0].found.why.front().text == "text of last_element");
  CHECK(cases[0].found.why.front().seen_at == "100");
  CHECK(cases[1].found.why.front().seen_at.empty());
  const auto taken_over = as_case("99_none", {}, cases[0], 5);
  CHECK(taken_over.seen_elsewhere);
  CHECK(taken_over.message.find("Why (seen at 100): text of last_element\n") != std::string::npos);
  CHECK_FALSE(as_case("99_none", {}, cases[1], 5).seen_elsewhere);
  CHECK(cases[1].found.why.front().text == "text of last_element");
}

TEST_CASE("an output untouched at every size stays untouched") {
  CHECK(words_after({wrong({1}, {"untouched"}), wrong({100}, {"untouched"})}) == words{"untouched", "untouched"});
}

TEST_CASE("right for squares and wrong for rectangles means rows and columns are swapped") {
  const words swapped{"-", "rows_and_columns_swapped", "rows_and_columns_swapped"};
  CHECK(words_after({passed({32, 32}), wrong({31, 33}, {"scattered"}), wrong({64, 33}, {"wrong_everywhere"})}) ==
        swapped);
  CHECK(words_after({passed({32, 32}), failed({31, 33}, verdict_kind::out_of_bounds, {"missing_guard"}),
                     wrong({64, 33}, {"scattered"})}) == swapped);
}

TEST_CASE("a wrong single element, or one right rectangle, speaks against swapped rows and columns") {
  CHECK(words_after({wrong({1, 1}, {"untouched"}), passed({32, 32}), wrong({31, 33}, {"scattered"}),
                     wrong({64, 33}, {"scattered"})})[2] == "scattered");
  CHECK(words_after({passed({32, 32}), passed({64, 32}), wrong({31, 33}, {"scattered"}),
                     wrong({64, 33}, {"scattered"})})[3] == "scattered");
}

TEST_CASE("a case is reported with its size in the lab's words, its reason and its verdict") {
  launcher_spec c;
  c.name = "transpose";
  c.axes = {"rows", "cols"};
  const auto r = as_case("99_none", c, wrong({31, 33}, {"echo"}), 5);
  CHECK(r.message == "transpose at 31x33 (rows x cols)\nwhat\nWhy: text of echo\nNext: ./lab explain echo\n");
  CHECK(r.diagnosis == diagnosis_kind::echo);
  CHECK(r.seed == 5);
  CHECK(as_case("99_none", c, passed({2, 2}), 5).message.empty());
}

TEST_CASE("without a diagnosis no hint is named, but the verdict's explanation") {
  const auto r = as_case("01_first", launcher_spec{}, failed({3}, verdict_kind::crash, {}), 5);
  CHECK(r.hint == 0);
  CHECK(r.message.ends_with("what\nNext: ./lab explain crash\n"));
}

TEST_CASE("where no pattern is known, the one extent that separates right from wrong is named") {
  launcher_spec c;
  c.axes = {"rows", "cols"};
  std::vector<judged_case> cases{passed({9, 16}), passed({70, 32}), wrong({64, 33}, {"scattered"}),
                                 wrong({8, 90}, {"scattered"})};
  note_limit(c, cases);
  CHECK(cases[2].found.why.front().text.find("Sizes with cols up to 32 are right") != std::string::npos);
  CHECK(cases[3].found.why.front().text.find("all larger cols are wrong") != std::string::npos);
}

TEST_CASE("no extent is named where two separate, where none does, or where the pattern is known") {
  launcher_spec c;
  c.axes = {"rows", "cols"};
  const auto text_after = [&](std::vector<judged_case> cases) {
    note_limit(c, cases);
    return cases.back().found.why.front().text;
  };
  CHECK(text_after({passed({1, 1}), wrong({2, 2}, {"scattered"})}) == "text of scattered");
  CHECK(text_after({passed({5, 5}), passed({1, 3}), wrong({5, 5}, {"scattered"})}) == "text of scattered");
  CHECK(text_after({passed({9, 1}), wrong({2, 2}, {"bad_launch"})}) == "text of bad_launch");
  CHECK(text_after({passed({9, 1}), wrong({2, 2}, {"echo"})}) == "text of echo");
}

TEST_CASE("where exactly the sizes with a partial last tile fail, that tile is named") {
  launcher_spec c;
  c.axes = {"n", "m"};
  const auto word_after = [&](std::vector<judged_case> cases) {
    note_partial_tile(c, cases);
    return std::string{word(cases.back().found.why.front().kind)};
  };
  std::vector<judged_case> cases{passed({9, 32}), passed({70, 64}), passed({33, 5}), wrong({64, 33}, {"scattered"}),
                                 wrong({8, 90}, {"wrong_everywhere"})};
  CHECK(word_after(cases) == "partial_tile");
  cases.insert(cases.begin(), passed({8, 91}));
  CHECK(word_after(cases) == "wrong_everywhere");
  CHECK(word_after({passed({9, 32}), passed({9, 64}), wrong({64, 33}, {"scattered"}), wrong({8, 90}, {"echo"})}) ==
        "echo");
}

TEST_CASE("holes in every tile of a large matrix explain an end that is missing in a small one") {
  CHECK(words_after({wrong({32, 32}, {"partial_block"}), wrong({31, 33}, {"partial_block"}),
                     wrong({523, 1031}, {"tile_holes"})}) == words{"tile_holes", "tile_holes", "tile_holes"});
}

TEST_CASE("a larger case with the same word does not hide a diagnosis that accounts for every element") {
  auto exact = failed({5, 7}, verdict_kind::out_of_bounds, {"wrong_index"});
  exact.found.why.front().exact = true;
  const auto guard = failed({60, 50}, verdict_kind::out_of_bounds, {"missing_guard"});
  CHECK(words_after({exact, wrong({100, 90}, {"wrong_index"}), guard}) ==
        words{"wrong_index", "wrong_index", "wrong_index"});
}
