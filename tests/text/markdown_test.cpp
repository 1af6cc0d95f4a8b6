#include "text/markdown.hpp"

#include "catch.hpp"

using lab::markdown_sections;
using strings = std::vector<std::string>;

TEST_CASE("sections of the third level know the heading above them") {
  const auto sections = markdown_sections("# t\n\n## A\n\nof A\n\n### one\n\nfirst\nline\n## B\n### two\n\nx\n\ny", 3);
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].heading == "one");
  CHECK(sections[0].parent == "A");
  CHECK(sections[0].paragraphs == strings{"first line"});
  CHECK(sections[1].parent == "B");
  CHECK(sections[1].paragraphs == strings{"x", "y"});
}

TEST_CASE("a heading of a lower level belongs to no paragraph of its section") {
  const auto sections = markdown_sections("## A\n\na\n\n### deeper\n\nb\n\n# end\n\nc");
  REQUIRE(sections.size() == 1);
  CHECK(sections[0].paragraphs == strings{"a", "b"});
}

TEST_CASE("of a link its text is kept, and brackets in code stay") {
  const auto sections = markdown_sections("## A\n\nSee [lab 01](01/README.md) and [02](x), a[i] (b).");
  CHECK(sections[0].paragraphs == strings{"See lab 01 and 02, a[i] (b)."});
}
