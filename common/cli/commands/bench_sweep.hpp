#pragma once

#include "cli/common_flags.hpp"

namespace lab::cli {

/// The options of `lab bench --sweep`.
struct size_sweep_flags {
  bool wanted = false;
  unsigned sizes = 40;
  double most_memory = 1;  ///< in GB
};

void add_size_sweep_flags(command_line command, size_sweep_flags& flags);

/// Times one kernel at many drawn sizes, prints each as it is measured, and keeps the result.
/// @throws machine_error without a GPU, usage_error for flags that do not fit
int sweep_sizes(const common_flags& common, const size_sweep_flags& flags);

}  // namespace lab::cli
