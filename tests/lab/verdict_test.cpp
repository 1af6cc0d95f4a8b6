#include "lab/verdict.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace lab;

TEST_CASE("every verdict has its own word, and the word gives the verdict") {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(verdict_kind::skipped); ++i) {
    const auto verdict = static_cast<verdict_kind>(i);
    CHECK(verdict_from(word(verdict)) == verdict);
    words.insert(word(verdict));
  }
  CHECK(words.size() == static_cast<std::size_t>(verdict_kind::skipped) + 1);
}

TEST_CASE("other words give no verdict") {
  for (const auto* text : {"", "passed", "PASS", "pass ", "ok"}) CHECK_FALSE(verdict_from(text));
}
