#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::judge {

/// Where a source line accesses memory, as the trace saw it.
struct line_access {
  std::string file{};  ///< without its folder
  int line = 0;
  bool global = false, shared = false;  ///< loads
  bool stores = false;                  ///< to global memory
  bool shared_stores = false;
};

/// What the threads of one kernel executed, summed over the threads of all its launches.
struct kernel_profile {
  std::string kernel{};  ///< "transpose_vectors<64, 64, 0>"
  double threads = 0;
  double instructions = 0, fp32 = 0;
  double unconditional = 0;  ///< of the instructions: in code that each thread runs once
  double global_loads = 0;
  double rounds = 0;            ///< global loads that wait for the load before
  double hidden_rounds = 0;     ///< of loads whose values are used after a later loop or barrier: computation goes on
  double load_groups = 0;       ///< loads that wait together
  double chain = 0;             ///< floating-point operations that wait for each other
  double shared_exposures = 0;  ///< waits for shared memory
  double barriers = 0;
  double serial = 0;  ///< instructions that compute indices and addresses, each of which waits for the one before
  std::map<std::pair<std::string, int>, double> loads{};  ///< by file and line
  double registers = 32;                                  ///< of a thread; an estimate from the values that loops carry
};

/// Reads a dump of g++'s GIMPLE after optimization, with the counts of a profile
/// (-fdump-tree-optimized-blocks-details-lineno).
std::vector<kernel_profile> read_profiles(std::string_view dump, const std::vector<line_access>& lines);

}  // namespace lab::judge
