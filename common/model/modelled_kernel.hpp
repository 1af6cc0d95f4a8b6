#pragma once

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "model/predict.hpp"

namespace lab::judge {

/// The modelled time of one call of a launcher, or why there is none.
struct modelled_kernel {
  std::string problem{};
  std::vector<launch_demand> demands{};
  modelled_call time{};
  double low_us = 0, high_us = 0;  ///< the band that held most recorded times

  bool known() const { return problem.empty(); }
};

/// Traces a sample of the blocks, counts the instructions of the same blocks, and predicts the time.
modelled_kernel model(const entry& lab, const std::filesystem::path& source, const launcher_spec& launcher,
                      const problem_size& size, const gpu_parameters& gpu, const run_options& options);

/// The largest of the launcher's time sizes that a sample can stand for; empty if there is none.
std::optional<problem_size> size_to_model(const launcher_spec& launcher);

}  // namespace lab::judge
