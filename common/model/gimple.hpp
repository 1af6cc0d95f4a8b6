#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lab::judge::gimple {

struct statement {
  std::string text{};  ///< without positions: "_22 = a_63(D) + _21;"
  std::string file{};
  int line = 0;
  bool in_library = false;  ///< of the simulator's headers, which have no code on a GPU
};

struct basic_block {
  int number = 0;
  double count = 0;                               ///< how often it ran
  double repeated = 0;                            ///< of these, how often after itself or a later block
  int depth = 0;                                  ///< of loops
  bool from_earlier = false, from_later = false;  ///< which blocks lead to it
  bool from_end = false;                          ///< the end of a loop that begins here
  double repeated_by_end = 0;                     ///< how often that end led here
  bool header = false, loops_to_itself = false;
  int phis = 0;           ///< values that it takes from the blocks before
  bool complete = false;  ///< all its statements were read
  std::vector<statement> statements{};
};

struct function {
  std::string name{};
  std::set<std::string> floats{}, wide{};  ///< variables of type float or double; 64-bit integers
  std::vector<basic_block> blocks{};
  bool restricted = false;  ///< a parameter is declared __restrict__
};

std::vector<function> read(std::string_view dump);

}  // namespace lab::judge::gimple
