#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace lab::judge {

/// A kernel that is timed beside the kernel under test.
struct rival {
  std::string name;  ///< "02_transpose_naive", or "cublasSgeam" for peers/cublasSgeam.cu
  std::filesystem::path source;
  bool judged = true;  ///< false: it moves the same bytes, but cannot give the right result
};

/// The solution of the lab's baseline, if it has one, and the peers, if the options request them.
std::vector<rival> rivals_of(const entry& lab, const bench_options& options);

}  // namespace lab::judge
