#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace lab::judge {

/// A kernel that is timed beside the one in question.
struct rival {
  std::string name;  ///< "02_transpose_naive", or "cublasSgeam" for peers/cublasSgeam.cu
  std::filesystem::path source;
  bool judged = true;  ///< false: it moves the same bytes, but by design not to the same result
};

/// The solution of the baseline lab, if the lab names one, and the peers, if they are wanted.
std::vector<rival> rivals_of(const entry& lab, const bench_options& options);

}  // namespace lab::judge
