#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "bench/bench.hpp"
#include "cli/common_flags.hpp"
#include "cli/output/terminal.hpp"
#include "model/gpu_parameters.hpp"

namespace lab::cli {

void add_gpu_flag(command_line command, common_flags& flags);

/// The GPU of --gpu. Without that flag it is, on the simulator, the one that it imitates, unless sizes were given.
/// Null: no times are modelled. @throws usage_error if the name is unknown, or if the back end is a GPU
const judge::gpu_parameters* gpu_to_model(const common_flags& flags, backend_kind backend);

/// The modelled time of each launcher of a kernel, beside the step before, which is modelled in the same way. The step
/// before is left out if the options say so (`alone`).
class modelled_times {
 public:
  modelled_times(const kernel_job& job, const judge::bench_options& options, const judge::gpu_parameters& gpu,
                 const terminal& out);
  modelled_times(const modelled_times&) = delete;
  ~modelled_times();

  /// Begins to compile and count in the background, while a command compiles and runs the same kernel.
  void begin();
  /// Models what is not modelled yet, and prints.
  void show();
  /// What show() printed: "modelled" of docs/schema/bench.json.
  nlohmann::json document() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lab::cli
