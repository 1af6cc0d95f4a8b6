#include "model/kernel_profile.hpp"

#include <regex>

#include "catch.hpp"

using namespace lab::judge;

namespace {

// A loop of ten iterations in 64 threads: a load of global memory, one of shared memory, a multiply-add, a barrier.
constexpr const char* dump = R"(
;; Function product (_Z7productPKfPf, funcdef_no=1, decl_uid=2, cgraph_uid=3, symbol_order=4)

  float sum;
  float _7;
  float _8;
  long unsigned int _4;

;;   basic block 2, loop depth 0, count 64 (precise), maybe hot
;;    prev block 0, next block 3, flags: (NEW)
;;    pred:       ENTRY [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)
  [/a/kernel.cu:4:5] _1 = [/a/kernel.cu:4:5] threadIdx.x;
;;    succ:       3 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)

;;   basic block 3, loop depth 1, count 640 (precise), maybe hot
;;    prev block 2, next block 4, flags: (NEW)
;;    pred:       3 [90.0%]  count:576 (precise) (TRUE_VALUE,EXECUTABLE)
;;                2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)
  # sum_2 = PHI <sum_9(3), 0.0(2)>
  [/a/kernel.cu:6:5] _4 = _3 * 4;
  [/a/kernel.cu:6:5] _5 = a_6(D) + _4;
  [/a/kernel.cu:6:9] _7 = [/a/kernel.cu:6:9] *_5;
  [/a/kernel.cu:7:9] _8 = [/a/kernel.cu:7:9] tile[_1][0];
  [/a/kernel.cu:8:9] sum_9 = .FMA (_7, _8, sum_2);
  at ={v} {CLOBBER(eol)};
  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]
  [/a/kernel.cu:5:3] if (i_10 != 10)
    goto <bb 3>; [90.00%]
  else
    goto <bb 4>; [10.00%]
;;    succ:       3 [90.0%]  count:576 (precise) (TRUE_VALUE,EXECUTABLE)
;;                4 [10.0%]  count:64 (precise) (FALSE_VALUE,EXECUTABLE)
}
)";

// The same loop without a barrier, which nvcc unrolls 16 times because it is short: the ten are a turn of eight, and
// two more. With a condition in it, nvcc unrolls it four times: two turns, and two more.
constexpr double waits_of_ten = 1 + 2, waits_of_ten_with_condition = 2 + 2;

std::string without_barrier() {
  std::string loop = dump;
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  return loop.erase(loop.find(barrier), barrier.size());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

constexpr double first_instructions = 14, loop_instructions = 30;

const std::vector<line_access> lines{{"kernel.cu", 6, true, false}, {"kernel.cu", 7, false, true}};

}  // namespace

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

TEST_CASE("a short loop is unrolled 16 times, a longer one or one with two unknown strides four times") {
  auto longer = replaced(replaced(without_barrier(), "count 640", "count 4096"), "count:576", "count:4032");  // 64 each
  CHECK(read_profiles(longer, lines).at(0).rounds == Approx(64 * 4));
  const std::string sum = "  [/a/kernel.cu:8:9] sum_9";
  const std::string load = "  [/a/kernel.cu:6:9] _14 = [/a/kernel.cu:6:9] *_5;\n";
  auto loads = longer;
  loads.insert(loads.find(sum), load + load);
  CHECK(read_profiles(loads, lines).at(0).rounds == Approx(64 * 16));
  auto strides = longer;
  strides.insert(strides.find(sum), "  [/a/kernel.cu:6:9] p_14 = _3 + p_15;\n  [/a/kernel.cu:6:9] q_16 = q_17 + _3;\n");
  CHECK(read_profiles(strides, lines).at(0).rounds == Approx(64 * 16));
}

TEST_CASE("a loop begins where g++ says that an end of a loop leads, also if the block before it was moved") {
  const auto moved = replaced(
      replaced(without_barrier(), ";;                2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)\n", ""),
      "(TRUE_VALUE,EXECUTABLE)", "(TRUE_VALUE,DFS_BACK,EXECUTABLE)");
  CHECK(read_profiles(moved, lines).at(0).rounds == Approx(64 * waits_of_ten));
}

TEST_CASE("at a barrier all warps wait for those that load: a part of them counts as one round") {
  // A quarter of the threads enters block 4 with the load.
  std::string part = dump;
  const std::string load = "  [/a/kernel.cu:6:9] _7", shared = "  [/a/kernel.cu:7:9] _8";
  part.insert(part.find(shared),
              ";;    succ:       5 [always]\n\n;;   basic block 5, loop depth 1, count 640 (precise)\n"
              ";;    pred:       3 [75.0%]  count:480 (precise) (FALSE_VALUE,EXECUTABLE)\n");
  part.insert(part.find(load),
              ";;    succ:       4 [25.0%]\n\n;;   basic block 4, loop depth 1, count 160 (precise)\n"
              ";;    pred:       3 [25.0%]  count:160 (precise) (TRUE_VALUE,EXECUTABLE)\n");
  CHECK(read_profiles(part, lines).at(0).rounds == Approx(640));
}

TEST_CASE("loads whose values are used after the next barrier are hidden, those used before it are not") {
  std::string early = dump;
  const std::string use = "  [/a/kernel.cu:8:9] sum_9 = .FMA (_7, _8, sum_2);\n";
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  early.erase(early.find(use), use.size());
  early.insert(early.find(barrier) + barrier.size(), use);
  const auto p = read_profiles(early, lines).at(0);
  CHECK(p.rounds == 0);
  CHECK(p.hidden_rounds == 640);
  CHECK(read_profiles(dump, lines).at(0).hidden_rounds == 0);
}

TEST_CASE(
    "a value that was loaded before blocks of another place is no hidden load unless a loop or barrier lies between") {
  std::string apart = dump;
  const std::string shared = "  [/a/kernel.cu:7:9] _8";
  apart.insert(apart.find(shared),
               ";;    succ:       5 [always]\n\n;;   basic block 4, loop depth 0, count 64 (precise)\n"
               ";;    pred:       2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)\n"
               ";;    succ:       3 [always]\n\n;;   basic block 5, loop depth 1, count 640 (precise)\n"
               ";;    pred:       3 [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n");
  const auto p = read_profiles(apart, lines).at(0);
  CHECK(p.rounds == 640);
  CHECK(p.hidden_rounds == 0);
}

TEST_CASE("a value that is stored in an array of the thread is not used yet") {
  std::string kept = dump;
  const std::string use = ".FMA (_7, _8, sum_2)";
  const std::string fma = "  [/a/kernel.cu:8:9] sum_9";
  kept.insert(kept.find(fma), "  [/a/kernel.cu:6:3] next[0] = _7;\n");
  kept.replace(kept.find(use), use.size(), ".FMA (_8, _8, sum_2)");
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  kept.insert(kept.find(barrier) + barrier.size(),
              "  [/a/kernel.cu:7:3] _20 = next[0];\n  [/a/kernel.cu:7:3] _21 = _20 + _8;\n");
  const auto p = read_profiles(kept, lines).at(0);
  CHECK(p.hidden_rounds == 640);
  CHECK(p.instructions == Approx(8 * 640 + first_instructions * 64));  // the sum more, no store
}

TEST_CASE("conditions whose values come from before the loop do not keep nvcc from unrolling it") {
  const auto loop = [](const std::string& condition) {
    std::string all = without_barrier();
    const std::string load = "  [/a/kernel.cu:6:9] _7";
    std::string blocks;
    for (int number = 4; number < 10; ++number)
      blocks += "  if (" + condition + ")\n    goto <bb 9>;\n;;    succ:       9 [always]\n\n;;   basic block " +
                std::to_string(number) +
                ", loop depth 1, count 640 (precise), maybe hot\n;;    pred:       " + std::to_string(number - 1) +
                " [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n";
    all.insert(all.find(load), blocks);
    return replaced(all, "3 [90.0%]  count:576 (precise) (TRUE_VALUE", "9 [always]  count:576 (precise) (DFS_BACK");
  };
  CHECK(read_profiles(loop("n_40(D) > _1"), lines).at(0).rounds == Approx(64 * waits_of_ten_with_condition));
  CHECK(read_profiles(loop("n_40(D) > _4"), lines).at(0).rounds == 640);  // _4 is computed in the loop
}

TEST_CASE("the copies of an unrolled loop wait for each other only for values that one leaves for the next") {
  const std::string fma = "sum_9 = .FMA (_7, _8, sum_2)";
  auto apart = without_barrier();
  apart.replace(apart.find(fma), fma.size(),
                "_14 = .FMA (_7, _8, _7);\n  [/a/kernel.cu:8:9] sum_9 = .FMA (_14, _8, sum_2)");
  const double turns = waits_of_ten / 10;
  CHECK(read_profiles(apart, lines).at(0).chain == Approx(640 * (2 * turns + 1 - turns)));
  CHECK(read_profiles(without_barrier(), lines).at(0).chain == Approx(640));
}
