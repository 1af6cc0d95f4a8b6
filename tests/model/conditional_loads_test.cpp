#include <string>

#include "catch.hpp"
#include "dumped_loop.hpp"

using namespace lab::judge;

namespace {

// One block of a dump: it follows the block before it, is executed 64 times and loads from global memory.
std::string loading_block(int number, const std::string& from) {
  const auto next = std::to_string(number + 1);
  return "\n;;   basic block " + std::to_string(number) + ", loop depth 0, count 64 (precise), maybe hot\n" +
         ";;    pred:       " + from + " [50.0%]  count:64 (precise) (TRUE_VALUE,EXECUTABLE)\n" +
         "  [/a/kernel.cu:6:9] _7 = [/a/kernel.cu:6:9] *_5;\n  [/a/kernel.cu:9:9] [/a/kernel.cu:9:9] *_20 = _7;\n" +
         ";;    succ:       " + next + " [50.0%]  count:1 (precise) (TRUE_VALUE,EXECUTABLE)\n";
}

const std::string head =
    "\n;; Function product (_Z7productPKfPf, funcdef_no=1, decl_uid=2, cgraph_uid=3, symbol_order=4)\n\n  float _7;\n";

}  // namespace

TEST_CASE("conditional loads that wait for the store before them wait once each") {
  std::string chain = head;
  for (int number = 3; number < 9; ++number)
    chain += loading_block(number, number == 3 ? "ENTRY" : std::to_string(number - 1));
  auto stores = dumped::lines;
  stores.push_back({.file = "kernel.cu", .line = 9, .stores = true});
  CHECK(read_profiles(chain, stores).at(0).rounds == 6 * 64);
}
