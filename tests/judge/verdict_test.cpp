#include "judge/verdict.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace lab::judge;

TEST_CASE("every verdict has a word of its own that leads back to it") {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(verdict::skipped); ++i) {
    const auto v = static_cast<verdict>(i);
    CHECK(verdict_from(word(v)) == v);
    words.insert(word(v));
  }
  CHECK(words.size() == static_cast<std::size_t>(verdict::skipped) + 1);
}

TEST_CASE("words that are no verdicts are none") {
  for (const auto* text : {"", "passed", "PASS", "pass ", "ok"}) CHECK_FALSE(verdict_from(text));
}
