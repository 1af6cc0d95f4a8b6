#pragma once

#include <string>
#include <vector>

#include "model/kernel_profile.hpp"

namespace lab::judge::dumped {

// A loop of ten iterations in 64 threads: a load of global memory, one of shared memory, a multiply-add, a barrier.
inline constexpr const char* dump = R"(
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
inline constexpr double waits_of_ten = 1 + 2, waits_of_ten_with_condition = 2 + 2;

inline std::string without_barrier() {
  std::string loop = dump;
  const std::string barrier = "  [/a/kernel.cu:9:3] lab_sim::block_barrier (0, at); [tail call]\n";
  return loop.erase(loop.find(barrier), barrier.size());
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

inline constexpr double first_instructions = 14, loop_instructions = 30;

inline const std::vector<line_access> lines{{"kernel.cu", 6, true, false}, {"kernel.cu", 7, false, true}};

}  // namespace lab::judge::dumped
