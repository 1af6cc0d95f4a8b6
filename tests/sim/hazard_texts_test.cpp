#include "sim/hazard_texts.hpp"

#include <algorithm>
#include <catch.hpp>
#include <set>
#include <string>

#include "sim/hazard_kinds.hpp"
#include "text/markdown.hpp"

using namespace lab::sim;

namespace lab::sim {
extern const std::string_view hazards_markdown;
}

TEST_CASE("every kind of hazard is explained: what it means, its usual cause, what to do", "[hazards]") {
  for (const auto kind : hazard_words) {
    INFO(kind);
    for (const char* const space : {"global", "shared", "constant", ""}) {
      const auto& text = hazard_text_of(kind, space);
      for (const auto& part : {text.meaning, text.cause, text.advice}) {
        INFO(part);
        CHECK(part.size() > 20);
        CHECK(part.ends_with('.'));
        CHECK(part.find('*') != 0);
      }
    }
  }
}

TEST_CASE("hazards.md explains only kinds that exist, each section with its three parts", "[hazards]") {
  std::set<std::string> headings;
  for (const auto& section : lab::markdown_sections(hazards_markdown)) {
    INFO(section.heading);
    const auto kind = section.heading.substr(0, section.heading.find(' '));
    CHECK(std::ranges::count(hazard_words, kind) == 1);
    CHECK(section.paragraphs.size() == 3);
    CHECK(headings.insert(section.heading).second);
  }
  CHECK(headings.size() >= std::size(hazard_words));
}

TEST_CASE("a memory of its own gets its own text, any other the last text of the kind", "[hazards]") {
  CHECK(hazard_text_of("race", "shared").advice.find("__syncthreads()") != std::string::npos);
  CHECK(hazard_text_of("race", "asynchronous").advice.find("wgmma.wait_group") != std::string::npos);
  CHECK(hazard_text_of("race", "asynchronous").advice.find("__syncthreads()") == std::string::npos);
  CHECK(hazard_text_of("race", "global").advice.find("two launches") != std::string::npos);
  CHECK(&hazard_text_of("race", "") == &hazard_text_of("race", "global"));
  CHECK(&hazard_text_of("out_of_bounds", "") == &hazard_text_of("out_of_bounds", "shared"));
  CHECK(hazard_text_of("out_of_bounds", "clusters").advice.find("num_blocks()") != std::string::npos);
  CHECK(hazard_text_of("race", "clusters").advice.find("cluster.sync()") != std::string::npos);
  CHECK(hazard_text_of("no_such_kind", "shared").advice.empty());
}

TEST_CASE("Markdown sections are read without labels, line breaks and backquotes", "[hazards]") {
  const auto sections = lab::markdown_sections("intro\n\n## one\n\nfirst `a`\nline\n\n**Label:** second\n## two\nlast");
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].heading == "one");
  CHECK(sections[0].paragraphs == std::vector<std::string>{"first a line", "second"});
  CHECK(sections[1].paragraphs == std::vector<std::string>{"last"});
}
