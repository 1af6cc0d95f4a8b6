#pragma once

#include <optional>
#include <string>

#include "model/modelled_kernel.hpp"

namespace lab::judge {

/// "31 to 52 us on an H200, limited by DRAM throughput", or why there is no time.
std::string modelled_time_text(const modelled_kernel& kernel, const gpu_parameters& gpu);

/// "1.9 times as fast as 03_transpose_shared", or that the difference is too small for the model.
std::string modelled_comparison(const modelled_kernel& ours, const modelled_kernel& before, const std::string& name);

/// A change of a kernel, and how many times as fast it would be.
struct modelled_gain {
  std::string change;
  double ratio;
};

/// The change that would gain most; nothing below 1.25.
std::optional<modelled_gain> largest_gain(const modelled_kernel& kernel, const gpu_parameters& gpu);

/// "without bank conflicts it would be 1.9 times as fast"
std::string text_of(const modelled_gain& gain);

}  // namespace lab::judge
