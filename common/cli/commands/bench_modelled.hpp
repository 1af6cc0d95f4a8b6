#pragma once

#include <memory>

#include "bench/bench.hpp"
#include "cli/common_flags.hpp"
#include "cli/output/terminal.hpp"
#include "model/gpu_parameters.hpp"

namespace lab::cli {

/// The modelled time of each launcher of a kernel, beside the step before, which is modelled in the same way.
class bench_model {
 public:
  bench_model(const kernel_job& job, const judge::bench_options& options, const judge::gpu_parameters& gpu,
              const terminal& out);
  bench_model(const bench_model&) = delete;
  ~bench_model();

  /// Begins to compile and count in the background, while `bench` compiles and checks the same kernel.
  void begin();
  /// Models what is not modelled yet, and prints.
  void show();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lab::cli
