#include "lab/verdict.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace lab;

TEST_CASE("every verdict has a word of its own that leads back to it") {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(verdict_kind::skipped); ++i) {
    const auto v = static_cast<verdict_kind>(i);
    CHECK(verdict_from(word(v)) == v);
    words.insert(word(v));
  }
  CHECK(words.size() == static_cast<std::size_t>(verdict_kind::skipped) + 1);
}

TEST_CASE("words that are no verdicts are none") {
  for (const auto* text : {"", "passed", "PASS", "pass ", "ok"}) CHECK_FALSE(verdict_from(text));
}
