#include "trace/glossary.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "diagnosis/diagnosis_kind.hpp"
#include "lab/gate.hpp"
#include "lab/verdict.hpp"
#include "sim/hazard_kinds.hpp"

using namespace lab::judge;

namespace {

template <class Words>
void require_explained(const Words& words, const std::string& about) {
  for (const auto word : words) {
    if (word.empty()) continue;  // no diagnosis
    INFO(about << " " << word);
    CHECK_FALSE(explanations_of(word).empty());
  }
}

// The words that sections about this explain, in the order of the sections.
std::vector<std::string> explained(const std::string& about) {
  std::vector<std::string> all;
  for (const auto& one : explanations())
    if (one.about == about) all.push_back(one.word);
  return all;
}

template <class Words>
void require_known(const std::string& about, const Words& words) {
  const auto sections = explained(about);
  CHECK(sections.size() >= 5);
  for (const auto& word : sections) {
    INFO(about << " " << word);
    CHECK(std::ranges::count(words, word) == 1);
    CHECK(std::ranges::count(sections, word) == 1);
  }
}

}  // namespace

TEST_CASE("every verdict, hazard, diagnosis and metric is explained", "[glossary]") {
  require_explained(lab::verdict_words, "verdict");
  require_explained(lab::sim::hazard_words, "hazard");
  require_explained(diagnosis_words, "diagnosis");
  require_explained(lab::traffic_words, "metric");
}

TEST_CASE("every section explains a word that exists, once", "[glossary]") {
  require_known("verdict", lab::verdict_words);
  require_known("diagnosis", diagnosis_words);
  require_known("metric of a gate", lab::traffic_words);
}

TEST_CASE("every explanation has a meaning, a cause and a next step", "[glossary]") {
  for (const auto& one : explanations())
    for (const auto& part : {one.meaning, one.cause, one.next}) {
      INFO(one.word << ": " << part);
      CHECK(part.size() > 20);
      CHECK((part.ends_with('.') || part.ends_with('?')));
    }
}

TEST_CASE("every term has a group, a meaning of a few short sentences and a lesson to see", "[glossary]") {
  CHECK(terms().size() >= 60);
  std::set<std::string> names;
  for (const auto& term : terms()) {
    INFO(term.names.front() << ": " << term.meaning);
    CHECK_FALSE(term.group.empty());
    CHECK(term.meaning.size() > 60);
    CHECK(term.meaning.ends_with('.'));
    CHECK(term.see.starts_with("See "));
    CHECK(term.see.find('[') == term.see.npos);
    for (const auto& name : term.names) {
      CHECK(names.insert(name).second);
      CHECK(term_of(name) == &term);
    }
  }
}

TEST_CASE("a term is found by each of its names, in other capitals, with hyphens and in the plural", "[glossary]") {
  for (const std::string name : {"warp", "Warps", "WARP"}) CHECK(term_of(name)->names.front() == "warp");
  for (const std::string name : {"bank conflict", "bank_conflicts", "Bank-Conflict"})
    CHECK(term_of(name)->names.front() == "bank conflict");
  CHECK(term_of("multiprocessor")->names.front() == "SM");
  CHECK(term_of("sms")->names.front() == "SM");
  CHECK(term_of("registers") == term_of("register"));
  CHECK(term_of("wrap") == nullptr);
  CHECK(term_of("") == nullptr);
}

TEST_CASE("a word that does not exist has no explanation", "[glossary]") { CHECK(explanations_of("rcae").empty()); }
