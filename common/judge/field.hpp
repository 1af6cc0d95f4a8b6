#pragma once

#include <string>
#include <vector>

#include "judge/bench.hpp"
#include "judge/build.hpp"

namespace lab::judge {

/// A kernel that is timed beside the one in question.
struct rival {
  std::string name;  ///< "02_transpose_naive", or "cublasSgeam" for peers/cublasSgeam.cu
  std::filesystem::path source;
};

/// The solution of the baseline lab, if the card names one, and the peers, if they are wanted.
std::vector<rival> rivals_of(const entry& lab, const bench_options& o);

/// Builds a kernel of this lab; a first line "// link: cublas" names libraries that it needs.
build_result build_for(const entry& lab, const std::filesystem::path& source, const options& o);

/// The same, traced, for the simulator.
build_result build_traced(const entry& lab, const std::filesystem::path& source, const options& o);

}  // namespace lab::judge
