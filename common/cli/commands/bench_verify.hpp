#pragma once

#include "bench/bench.hpp"
#include "cli/common_flags.hpp"

namespace lab::cli {

/// `lab bench --verify`: times each kernel by two independent clocks and prints where they differ. The exit code.
/// @throws machine_error without a GPU
int verify_times(const std::vector<kernel_job>& jobs, const common_flags& common, const judge::bench_options& options);

}  // namespace lab::cli
