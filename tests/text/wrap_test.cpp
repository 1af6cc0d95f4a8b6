#include "text/wrap.hpp"

#include "catch.hpp"

using namespace lab;

TEST_CASE("prose breaks at words, and continuation lines keep the indentation") {
  CHECK(wrapped("one two three four five six", 20) == "one two three four\nfive six");
  CHECK(wrapped("  one two three four five six\nnext", 20) == "  one two three four\n  five six\nnext");
  CHECK(wrapped("- one two three four five six", 20) == "- one two three four\n  five six");
  CHECK(wrapped("short\n\n", 20) == "short\n\n");
}

TEST_CASE("a word that is too long stays whole") {
  CHECK(wrapped("see /a/very/long/path/to/kernel.cu now", 20) == "see\n/a/very/long/path/to/kernel.cu\nnow");
}

TEST_CASE("a command stays whole, because it is copied as a whole") {
  CHECK(wrapped("Next: do ./lab hint 04 2 now", 20) == "Next: do\n./lab hint 04 2 now");
  CHECK(wrapped("do (general: ./lab explain race).", 30) == "do (general:\n./lab explain race).");
}

TEST_CASE("colours and the bytes of a character take no columns") {
  CHECK(columns_of("\033[31mred\033[0m") == 3);
  CHECK(columns_of("\xc3\xbc\xe2\x80\xa6") == 2);
  CHECK(wrapped("\033[31mone two three four\033[0m", 20) == "\033[31mone two three four\033[0m");
}

TEST_CASE("quoted code, pictures, tables and compilers' margins stay as they are") {
  for (const std::string line :
       {"    if (row < rows && col < cols) out[col * rows + row] = 1;", "kernel.cu:16  if (a) b = c * d + e * f;",
        "  load global        192              4.0", "  16 | __global__ void transpose(const int* in)"})
    CHECK(wrapped(line, 20) == line);
}

TEST_CASE("a row keeps its alignment in the lines before a break") {
  CHECK(wrapped_row("todo   01_vector_add    one thread", 80, 4) == "todo   01_vector_add    one thread");
  CHECK(wrapped_row("todo   01_vector_add    one thread", 30, 4) == "todo   01_vector_add    one\n    thread");
}

TEST_CASE("the lines of a paragraph and of a list item are joined, those of code and tables are not") {
  CHECK(joined_paragraphs("one\ntwo\n\nthree\n") == "one two\n\nthree\n");
  CHECK(joined_paragraphs("one\n- two\n  three\n- four") == "one\n- two three\n- four");
  CHECK(joined_paragraphs("code:\n\n    a;\n    b;\n\nend") == "code:\n\n    a;\n    b;\n\nend");
  CHECK(joined_paragraphs("```\na\nb\n```\nend") == "```\na\nb\n```\nend");
  CHECK(joined_paragraphs("| a | b |\n| 1 | 2 |\n") == "| a | b |\n| 1 | 2 |\n");
}
