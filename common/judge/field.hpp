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
  bool judged = true;  ///< false: it moves the same bytes, but by design not to the same result
};

/// The solution of the baseline lab, if the card names one, and the peers, if they are wanted.
std::vector<rival> rivals_of(const entry& lab, const bench_options& o);

/// Why this lab cannot run here at all, empty if it can: not on this back end, or not on so old a GPU.
/// @throws runner_failure
std::string why_not_here(const entry& lab, const options& o);

/// Builds a kernel of this lab. Among the comments that begin its file, "// link: cublas" names libraries that it needs
/// and "// arch: sm_90a" the only architecture that it is for; "// arch: sm_90a or any" also lets it run elsewhere.
build_result build_for(const entry& lab, const std::filesystem::path& source, const options& o);

/// Its device code alone, for a GPU.
build_result build_device_code(const entry& lab, const std::filesystem::path& source, const options& o);

/// The same, traced, for the simulator.
build_result build_traced(const entry& lab, const std::filesystem::path& source, const options& o);

}  // namespace lab::judge
