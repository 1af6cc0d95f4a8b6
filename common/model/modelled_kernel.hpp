#pragma once

#include <optional>

#include "model/kernel_counter.hpp"
#include "model/predict.hpp"

namespace lab::judge {

/// The modelled time of one call of a launcher, or why there is none.
struct modelled_kernel {
  std::string problem{};
  std::vector<launch_demand> demands{};
  modelled_call time{};
  double low_us = 0, high_us = 0;   ///< the band that held most recorded times
  bool compiled_registers = false;  ///< of a thread: nvcc's, and not an estimate
  bool registers_matter = false;    ///< another number, as far off as estimates were, gives another time

  bool known() const { return problem.empty(); }
};

/// Where the number of a thread's registers comes from.
enum class register_source {
  nvcc,            ///< where it is installed and compiles the kernel; otherwise an estimate
  nvcc_if_needed,  ///< the same, unless the estimates matter for no call: then nobody waits for nvcc
  estimate
};

/// Predicts the times of calls from what the counter counts of them.
std::vector<modelled_kernel> model(kernel_counter& counter, const std::vector<kernel_counter::call>& calls,
                                   const gpu_parameters& gpu, register_source registers = register_source::nvcc);

/// The largest of the launcher's time sizes that a sample can stand for; empty if there is none.
std::optional<problem_size> size_to_model(const launcher_spec& launcher);

}  // namespace lab::judge
