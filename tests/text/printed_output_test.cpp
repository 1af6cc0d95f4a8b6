#include "text/printed_output.hpp"

#include "catch.hpp"

using namespace lab;

namespace {

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += "thread " + std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a flood is cut at line starts, and the message says how many lines are left out") {
  const auto text = printed_output(numbered(3000));
  CHECK(text.starts_with("It printed 3000 lines; 2992 are left out here:\n    thread 2993\n"));
  CHECK(text.ends_with("\n    thread 3000\n"));
  CHECK(printed_output(numbered(9)).starts_with("It printed 9 lines; 1 is left out here:\n    thread 2\n"));
}

TEST_CASE("of an incomplete output the last line is only a part, and there are more lines") {
  const auto text = printed_output(numbered(20) + "thr", true);
  CHECK(text.starts_with("It printed more than 20 lines; 12 are left out here:\n    thread 13\n"));
  CHECK(text.ends_with("    thread 20\n"));
}

TEST_CASE("a long line is cut, and empty lines at the end do not count") {
  CHECK(printed_output(std::string(100'000, 'x')).size() < 300);
  CHECK(printed_output("one\n\n\n") == "It printed:\n    one\n");
  CHECK(printed_output("\n\n").empty());
}
