#pragma once

#include "bench/bench.hpp"
#include "cli/common_flags.hpp"
#include "cli/output/terminal.hpp"
#include "model/gpu_parameters.hpp"

namespace lab::cli {

/// Prints the modelled time of each launcher of a kernel, beside the step before, which is modelled in the same way.
void show_modelled(const kernel_job& job, const judge::bench_options& options, const judge::gpu_parameters& gpu,
                   const terminal& out);

}  // namespace lab::cli
