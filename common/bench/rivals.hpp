#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace lab::judge {

/// A kernel that is timed beside the kernel under test.
struct rival {
  std::string name;  ///< "02_transpose_naive", or "cublasSgeam" for peers/cublasSgeam.cu
  std::filesystem::path source;
  bool judged = true;          ///< false: it moves the same bytes, but cannot give the right result
  const entry* lab = nullptr;  ///< another lab that it belongs to, with whose headers it is compiled
};

inline const entry& lab_of(const rival& one, const entry& ours) { return one.lab ? *one.lab : ours; }

/// A kernel that another improves on. The entry has one launcher, whose parameters are those of the other's.
struct step_before {
  entry lab;
  kernel_variant kernel;
  std::string name;           ///< of the lab, or "naive", or of the launcher in the same file
  bool in_same_file = false;  ///< an earlier launcher of the lab, so the student's file has it as well
};

/// The launcher of the same lab that this one improves on, or else the lab's peers/naive.cu, or else the solution of
/// the nearest earlier lab that has this launcher. Each must accept this size.
std::optional<step_before> find_step_before(const entry& lab, const launcher_spec& wanted, const problem_size& size);

/// The solution of the lab's baseline, if it has one, and the peers, if the options request them. On the simulator also
/// the steps before, at the sizes to count.
std::vector<rival> rivals_of(const entry& lab, const bench_options& options);

}  // namespace lab::judge
