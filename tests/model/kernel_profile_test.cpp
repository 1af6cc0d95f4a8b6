#include "model/kernel_profile.hpp"

#include <regex>

#include "catch.hpp"
#include "dumped_loop.hpp"

using namespace lab::judge;
using namespace lab::judge::dumped;

TEST_CASE("a profile counts instructions, multiply-adds, barriers and loads of a kernel") {
  const auto all = read_profiles(dump, lines);
  REQUIRE(all.size() == 1);
  const auto& p = all[0];
  CHECK(p.kernel == "product");
  CHECK(p.threads == 64);
  CHECK(p.fp32 == 640);
  CHECK(p.barriers == 640);
  CHECK(p.global_loads == 640);
  // The address, two loads, the multiply-add, the barrier, and the comparison with its branch.
  CHECK(p.instructions == Approx(7 * 640 + first_instructions * 64));
  CHECK(p.serial == Approx(first_instructions * 64));
}

TEST_CASE("code is unconditional if each thread runs it once, outside of loops") {
  CHECK(read_profiles(dump, lines).at(0).unconditional == Approx(first_instructions * 64));
  const std::string index = "threadIdx.x;\n";
  const auto more = replaced(dump, index, index + "  [/a/kernel.cu:4:9] _11 = _1 + 7;\n");
  const auto p = read_profiles(more, lines).at(0);
  CHECK(p.unconditional == Approx((1 + first_instructions) * 64));
  CHECK(p.instructions == Approx(7 * 640 + (1 + first_instructions) * 64));
}

TEST_CASE("the loads before a barrier are one round, and the accumulator of a loop is a chain") {
  const auto p = read_profiles(dump, lines).at(0);
  CHECK(p.rounds == 640);
  CHECK(p.chain == 640);
  CHECK(p.shared_exposures == 640);
}

TEST_CASE("a load whose address was loaded is a round of its own") {
  std::string chased = dump;
  const std::string at = "  [/a/kernel.cu:7:9] _8";
  chased.insert(chased.find(at),
                "  [/a/kernel.cu:6:7] _11 = _5 + _7;\n  [/a/kernel.cu:6:3] _12 = [/a/kernel.cu:6:3] *_11;\n");
  CHECK(read_profiles(chased, lines).at(0).rounds == 2 * 640);
}

TEST_CASE("a loop without a barrier is unrolled, so its loads wait together, but not those of the rest") {
  const auto p = read_profiles(without_barrier(), lines).at(0);
  CHECK(p.rounds == Approx(64 * waits_of_ten));
  CHECK(p.shared_exposures == Approx(64 * waits_of_ten));
  CHECK(p.serial == Approx(64 * (first_instructions + loop_instructions)));
}

TEST_CASE("an unrolled loop counts its branch and its steps once for all copies") {
  const std::string fma = "  [/a/kernel.cu:8:9] sum_9";
  auto steps = without_barrier();
  steps.insert(steps.find(fma), "  [/a/kernel.cu:5:9] i_10 = i_11 + 1;\n");
  const double body = 4 * 640, once = (2 + 1) * 64 * waits_of_ten;  // address, loads, sum; branch and step
  CHECK(read_profiles(steps, lines).at(0).instructions ==
        Approx(body + once + 64 * (first_instructions + loop_instructions)));
}

TEST_CASE("a loop with one condition in it is unrolled, too") {
  // Block 4 goes back to 3; between them lies the load.
  auto loop = replaced(without_barrier(), "3 [90.0%]  count:576 (precise) (TRUE_VALUE",
                       "4 [always]  count:576 (precise) (FALLTHRU");
  const std::string load = "  [/a/kernel.cu:6:9] _7";
  loop.insert(loop.find(load),
              "    goto <bb 4>;\n;;    succ:       4 [always]\n\n"
              ";;   basic block 4, loop depth 1, count 640 (precise), maybe hot\n"
              ";;    pred:       3 [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n");
  CHECK(read_profiles(loop, lines).at(0).rounds == Approx(64 * waits_of_ten_with_condition));
}

TEST_CASE("a block that only later blocks lead to was moved and is no loop") {
  const std::string early = ";;                2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)\n";
  auto moved = replaced(without_barrier(), "3 [90.0%]  count:576 (precise) (TRUE_VALUE",
                        "4 [90.0%]  count:576 (precise) (TRUE_VALUE");
  moved.erase(moved.find(early), early.size());
  CHECK(read_profiles(moved, lines).at(0).rounds == 640);
}

TEST_CASE("a whole number of iterations of the blocks around is worth more than what g++ guesses of a loop's end") {
  // As if a fifth of the iterations left the loop, and not a tenth: 5 iterations each, although it began 64 times.
  const auto guessed = replaced(without_barrier(), "count:576", "count:512");
  CHECK(read_profiles(guessed, lines).at(0).rounds == Approx(64 * waits_of_ten));
}

TEST_CASE("the waits of a function that g++ did not inline join those around its call") {
  const std::string function =
      "\n;; Function part (_Z4partPKf, funcdef_no=2, decl_uid=3, cgraph_uid=4, symbol_order=5)\n\n"
      ";;   basic block 2, loop depth 0, count 1280 (precise), maybe hot\n"
      ";;    pred:       ENTRY [always]  count:1280 (precise) (FALLTHRU,EXECUTABLE)\n"
      "  [/a/kernel.cu:7:9] _1 = [/a/kernel.cu:7:9] from[0];\n"
      ";;    succ:       EXIT [always]\n";
  auto calls = without_barrier();
  const std::string shared = "  [/a/kernel.cu:7:9] _8 = [/a/kernel.cu:7:9] tile[_1][0];\n";
  calls.replace(calls.find(shared), shared.size(),
                "  [/a/kernel.cu:8:9] part (_5);\n  [/a/kernel.cu:8:9] part (_5);\n");
  CHECK(read_profiles(calls + function, lines).at(0).shared_exposures == Approx(64 * waits_of_ten));
}

TEST_CASE("a loop of the simulator's headers has no code on a GPU, so nvcc does not unroll it") {
  const auto inside = replaced(without_barrier(), "/a/kernel.cu:", "/sim/include/lab_sim/x.h:");
  CHECK(read_profiles(inside, {{"x.h", 6, true, false}, {"x.h", 7, false, true}}).at(0).serial ==
        Approx(64 * first_instructions));
}

TEST_CASE("a load waits for a store that may be to its address, unless the pointers are restricted") {
  std::string loop = dump;
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  loop.replace(loop.find(barrier), barrier.size(), "  [/a/kernel.cu:9:3] *_5 = _7;\n");
  auto stores = lines;
  stores.push_back({"kernel.cu", 9, false, false, true});
  CHECK(read_profiles(loop, stores).at(0).rounds == 640);
  const std::string locals = "\n  float sum;";
  loop.insert(loop.find(locals), "\nvoid product (const float * restrict a, float * restrict b)\n");
  CHECK(read_profiles(loop, stores).at(0).rounds == Approx(64 * waits_of_ten));
}

TEST_CASE("the iterations of a loop that is shorter than an unrolled turn wait one after another") {
  std::string shorter = dump;
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  shorter.erase(shorter.find(barrier), barrier.size());
  for (auto at = shorter.find("count 640"); at != shorter.npos; at = shorter.find("count 640"))
    shorter.replace(at, 9, "count 128");
  for (auto at = shorter.find("count:576"); at != shorter.npos; at = shorter.find("count:576"))
    shorter.replace(at, 9, "count:64");
  CHECK(read_profiles(shorter, lines).at(0).rounds == 2 * 64);
}

TEST_CASE("an array that the trace did not see lies in registers and costs nothing") {
  const auto p = read_profiles(dump, {}).at(0);
  CHECK(p.global_loads == 0);
  CHECK(p.instructions == Approx(5 * 640 + first_instructions * 64));
}

TEST_CASE("counts that g++ only estimated are no counts") {
  std::string guessed = dump;
  for (auto at = guessed.find("(precise), maybe"); at != guessed.npos; at = guessed.find("(precise), maybe"))
    guessed.replace(at, 9, "(estimated locally)");
  CHECK(read_profiles(guessed, lines).empty());
}

TEST_CASE("the positions of g++ 13 and later, with discriminators, are read like those of older ones") {
  const auto newer = std::regex_replace(std::string{dump}, std::regex{R"((kernel\.cu:\d+:\d+)\])"}, "$1 discrim 3]");
  REQUIRE(newer != dump);
  const auto before = read_profiles(dump, lines).at(0), after = read_profiles(newer, lines).at(0);
  CHECK(after.instructions == before.instructions);
  CHECK(after.rounds == before.rounds);
  CHECK(after.chain == before.chain);
  CHECK(after.shared_exposures == before.shared_exposures);
}
