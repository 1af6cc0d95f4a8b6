#include <string>

#include "catch.hpp"
#include "dumped_loop.hpp"

using namespace lab::judge;

namespace {

// One block of a dump: it follows the block before it and is executed 64 times.
std::string block(int number, const std::string& statements) {
  const auto from = number == 3 ? "ENTRY" : std::to_string(number - 1), next = std::to_string(number + 1);
  return "\n;;   basic block " + std::to_string(number) + ", loop depth 0, count 64 (precise), maybe hot\n" +
         ";;    pred:       " + from + " [50.0%]  count:64 (precise) (TRUE_VALUE,EXECUTABLE)\n" + statements +
         ";;    succ:       " + next + " [50.0%]  count:1 (precise) (TRUE_VALUE,EXECUTABLE)\n";
}

std::string load(const std::string& value) { return "  [/a/kernel.cu:6:9] " + value + " = [/a/kernel.cu:6:9] *_5;\n"; }

const std::string head =
    "\n;; Function product (_Z7productPKfPf, funcdef_no=1, decl_uid=2, cgraph_uid=3, symbol_order=4)\n\n  float _7;\n";

}  // namespace

TEST_CASE("conditional loads that wait for the store before them wait once each") {
  std::string chain = head;
  for (int number = 3; number < 9; ++number)
    chain += block(number, load("_7") + "  [/a/kernel.cu:9:9] [/a/kernel.cu:9:9] *_20 = _7;\n");
  auto stores = dumped::lines;
  stores.push_back({.file = "kernel.cu", .line = 9, .stores = true});
  CHECK(read_profiles(chain, stores).at(0).rounds == 6 * 64);
}

TEST_CASE("prefetched loads of single elements under conditions are not hidden, those of several are") {
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  const std::string use = "  [/a/kernel.cu:8:9] _10 = _7 + _8;\n";
  const auto with = [&](const std::string& first, const std::string& second) {
    const auto text = head + block(3, first) + block(4, second) + block(5, barrier) + block(6, use);
    return read_profiles(text, dumped::lines).at(0);
  };
  const auto single = with(load("_7"), load("_8"));
  CHECK(single.rounds == 64);
  CHECK(single.hidden_rounds == 0);
  const auto pairs = with(load("_7") + load("_11"), load("_8") + load("_12"));
  CHECK(pairs.rounds == 0);
  CHECK(pairs.hidden_rounds == 64);
  CHECK(with(load("_7") + load("_8"), "").hidden_rounds == 64);
}
