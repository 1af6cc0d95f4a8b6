#include "catch.hpp"
#include "grade/course/similarity.hpp"

using lab::grade::in_short_lines;

TEST_CASE("a source is split after statements, outside strings and comments") {
  CHECK(in_short_lines("int a;b{c}") == "int a;\nb{\nc}\n");
  CHECK(in_short_lines("f(\"a;b\", ';');") == "f(\"a;b\",\n ';');\n");
  CHECK(in_short_lines("a // x; y\nb") == "a \nb");
  CHECK(in_short_lines("a /* x; y */ b;") == "a   b;\n");
  CHECK(in_short_lines("a /* x") == "a  ");
  CHECK(in_short_lines("\"a\\\"b;\";") == "\"a\\\"b;\";\n");
  CHECK(in_short_lines("// only") == "");
}
