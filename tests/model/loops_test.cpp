#include "catch.hpp"
#include "dumped_loop.hpp"

using namespace lab::judge;
using namespace lab::judge::dumped;

TEST_CASE("a short loop is unrolled 16 times, a longer one or one with two unknown strides four times") {
  auto longer = replaced(replaced(without_barrier(), "count 640", "count 4096"), "count:576", "count:4032");  // 64 each
  // Two loads in each iteration: 32 of a turn are not in flight at the same time.
  CHECK(read_profiles(longer, lines).at(0).rounds == Approx(64 * 4 * 2));
  const std::string sum = "  [/a/kernel.cu:8:9] sum_9";
  const std::string load = "  [/a/kernel.cu:6:9] _14 = [/a/kernel.cu:6:9] *_5;\n";
  auto loads = longer;
  loads.insert(loads.find(sum), load + load);
  CHECK(read_profiles(loads, lines).at(0).rounds == Approx(64 * 16));
  auto strides = longer;
  strides.insert(strides.find(sum), "  [/a/kernel.cu:6:9] p_14 = _3 + p_15;\n  [/a/kernel.cu:6:9] q_16 = q_17 + _3;\n");
  CHECK(read_profiles(strides, lines).at(0).rounds == Approx(64 * 16));
}

TEST_CASE("a loop that adds up what it loads with one unknown stride is short if it counts by one") {
  const std::string sum = "  [/a/kernel.cu:8:9] sum_9 = .FMA (_7, _8, sum_2);\n";
  const auto adding = [&](const std::string& step) {
    auto text = replaced(replaced(without_barrier(), "count 640", "count 4096"), "count:576", "count:4032");
    return replaced(text, sum,
                    "  [/a/kernel.cu:8:9] sum_9 = _7 + sum_2;\n  [/a/kernel.cu:6:9] p_14 = _3 + p_15;\n"
                    "  [/a/kernel.cu:5:3] i_10 = i_11 + " +
                        step + ";\n");
  };
  CHECK(read_profiles(adding("1"), lines).at(0).rounds == Approx(64 * 4 * 2));
  CHECK(read_profiles(adding("8"), lines).at(0).rounds == Approx(64 * 16));
}

TEST_CASE("a loop begins where g++ says that an end of a loop leads, also if the block before it was moved") {
  const auto moved = replaced(
      replaced(without_barrier(), ";;                2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)\n", ""),
      "(TRUE_VALUE,EXECUTABLE)", "(TRUE_VALUE,DFS_BACK,EXECUTABLE)");
  CHECK(read_profiles(moved, lines).at(0).rounds == Approx(64 * waits_of_ten));
}

TEST_CASE("at a barrier all warps wait for those that load: a part of them counts as one round") {
  // A quarter of the threads enters block 4 with the load.
  std::string part =
      replaced(dump, "3 [90.0%]  count:576 (precise) (TRUE_VALUE", "5 [90.0%]  count:576 (precise) (DFS_BACK");
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

TEST_CASE("a load is not hidden if only blocks of another place lie between it and the use of its value") {
  std::string apart =
      replaced(dump, "3 [90.0%]  count:576 (precise) (TRUE_VALUE", "5 [90.0%]  count:576 (precise) (DFS_BACK");
  const std::string shared = "  [/a/kernel.cu:7:9] _8";
  apart.insert(apart.find(shared),
               ";;    succ:       5 [always]\n\n;;   basic block 4, loop depth 0, count 64 (precise)\n"
               ";;    pred:       2 [always]  count:64 (precise) (FALLTHRU,EXECUTABLE)\n"
               ";;    succ:       3 [always]\n\n;;   basic block 5, loop depth 1, count 640 (precise)\n"
               ";;    pred:       3 [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n");
  const auto p = read_profiles(apart, lines).at(0);
  CHECK(p.rounds > 0);
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
              "  [/a/kernel.cu:3:3] _20 = next[0];\n  [/a/kernel.cu:3:3] _21 = _20 + _8;\n");
  const auto p = read_profiles(kept, lines).at(0);
  CHECK(p.hidden_rounds == 640);
  CHECK(p.instructions == Approx(8 * 640 + first_instructions * 64));  // the sum more, no store
}

TEST_CASE("conditions whose values come from before the loop do not keep nvcc from unrolling it") {
  const auto loop = [](const std::string& condition) {
    std::string all = without_barrier();
    const std::string load = "  [/a/kernel.cu:6:9] _7";
    std::string blocks;
    for (int number = 4; number < 12; ++number)
      blocks += "  if (" + condition + ")\n    goto <bb 9>;\n;;    succ:       9 [always]\n\n;;   basic block " +
                std::to_string(number) +
                ", loop depth 1, count 640 (precise), maybe hot\n;;    pred:       " + std::to_string(number - 1) +
                " [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n";
    all.insert(all.find(load), blocks);
    return replaced(all, "3 [90.0%]  count:576 (precise) (TRUE_VALUE", "11 [always]  count:576 (precise) (DFS_BACK");
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

TEST_CASE("a call that leaves what it loaded in an array of the caller hides its loads until the array is used") {
  const std::string function =
      "\n;; Function fetch (_Z5fetchPfPKf, funcdef_no=2, decl_uid=3, cgraph_uid=4, symbol_order=5)\n\n"
      ";;   basic block 2, loop depth 0, count 640 (precise), maybe hot\n"
      ";;    pred:       ENTRY [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n"
      "  [/a/kernel.cu:6:9] _1 = [/a/kernel.cu:6:9] *from_2(D);\n  [/a/kernel.cu:6:9] *to_3(D) = _1;\n"
      ";;    succ:       EXIT [always]\n";
  const std::string load = "  [/a/kernel.cu:6:9] _7 = [/a/kernel.cu:6:9] *_5;\n";
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  const std::string use = "  [/a/kernel.cu:3:3] _7 = next[0];\n";
  auto before = replaced(dump, load, "  [/a/kernel.cu:3:3] fetch (&next, _5);\n" + use);
  CHECK(read_profiles(before + function, lines).at(0).rounds == 640);
  auto after = replaced(dump, load, use);
  after.insert(after.find(barrier) + barrier.size(), "  [/a/kernel.cu:3:3] fetch (&next, _5);\n");
  const auto p = read_profiles(after + function, lines).at(0);
  CHECK(p.rounds == 0);
  CHECK(p.hidden_rounds == 640);
  CHECK(p.load_groups == 640);
}

TEST_CASE("of conditional loads, each used before the next, three are in flight") {
  std::string loop =
      replaced(dump, "3 [90.0%]  count:576 (precise) (TRUE_VALUE", "99 [90.0%]  count:576 (precise) (DFS_BACK");
  const std::string first = "  [/a/kernel.cu:6:9] _7";
  std::string blocks;
  for (int number = 4; number < 9; ++number) {
    const auto name = std::to_string(30 + number);
    blocks += "  [/a/kernel.cu:6:9] _" + name + " = [/a/kernel.cu:6:9] *_5;\n  [/a/kernel.cu:8:9] _5" + name + " = _" +
              name + " + _4;\n;;    succ:       " + std::to_string(number) + " [always]\n\n;;   basic block " +
              std::to_string(number) +
              ", loop depth 1, count 640 (precise), maybe hot\n;;    pred:       " + std::to_string(number - 1) +
              " [always]  count:640 (precise) (FALLTHRU,EXECUTABLE)\n";
  }
  loop.insert(loop.find(first), blocks);  // six loads
  CHECK(read_profiles(loop, lines).at(0).rounds == 2 * 640);
}
