#include "catch.hpp"
#include "grade/mutation/validation.hpp"

using namespace lab;

TEST_CASE("every entry of a lab's list of equivalent mutants names a mutant of its solution", "[mutation]") {
  for (const auto& lab : labs()) {
    std::string unknown;
    for (const auto& one : grade::unknown_entries(lab)) unknown += "- " + one.before + "\n+ " + one.after + "\n";
    INFO(grade::equivalents_of(lab).string() << "\n" << unknown);
    CHECK(unknown.empty());
  }
}
