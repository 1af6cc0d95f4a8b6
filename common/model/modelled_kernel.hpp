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

  bool known() const { return problem.empty(); }
};

/// Predicts the times of calls from what the counter counts of them.
std::vector<modelled_kernel> model(kernel_counter& counter, const std::vector<kernel_counter::call>& calls,
                                   const gpu_parameters& gpu);

/// The largest of the launcher's time sizes that a sample can stand for; empty if there is none.
std::optional<problem_size> size_to_model(const launcher_spec& launcher);

}  // namespace lab::judge
