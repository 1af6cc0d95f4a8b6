#include "build/availability.hpp"

#include <fmt/format.h>

#include "build/toolchain.hpp"
#include "protocol/runner_process.hpp"
#include "support/installation.hpp"

namespace lab::judge {

namespace {

availability probe_sim() {
  for (const auto& tool : {labcc(), runner_program(backend_kind::sim)})
    if (!exists(tool)) return {false, fmt::format("{} is not built; run ./lab to build it", tool.string())};
  if (host_compilers(backend_kind::sim).empty())
    return {false, "no C++ compiler is installed; apt-get install g++, or name one in LAB_CXX"};
  return {true, {}};
}

availability probe_cuda() {
  if (nvcc().empty())
    return {false, "nvcc is neither in PATH nor in /usr/local/cuda/bin; install the CUDA toolkit 12 or later"};
  const auto runner = runner_program(backend_kind::cuda);
  if (!exists(runner))
    return {false,
            here().is_checkout()
                ? fmt::format("{} is not built; build it with the preset 'cuda' (or -DLAB_CUDA=ON)", runner.string())
                : "this package has no GPU back end; install one that was built with -DLAB_CUDA=ON, or use a checkout"};
  try {
    const runner_process started{{.backend = backend_kind::cuda}};
    return {true, {}, static_cast<int>(started.device().major * 10 + started.device().minor)};
  } catch (const runner_failure& failure) {
    return {false, fmt::format("no usable GPU: {}", failure.what())};
  }
}

}  // namespace

availability probe(backend_kind backend) {
  static const availability sim = probe_sim();
  if (backend == backend_kind::sim) return sim;
  static const availability cuda = probe_cuda();
  return cuda;
}

backend_kind default_backend() { return probe(backend_kind::cuda).usable ? backend_kind::cuda : backend_kind::sim; }

std::string why_not_here(const entry& lab, const run_options& options) {
  if (!runs_on(lab, options.backend)) return fmt::format("this lab does not run on {}", word(options.backend));
  const int least = lab.definition.least_capability;
  if (least == 0) return {};
  const auto device = runner_process{runner_options_of(options, {})}.device();
  if (static_cast<int>(device.major * 10 + device.minor) >= least) return {};
  return fmt::format("this lab needs a GPU of compute capability {}.{} or higher; {} has {}.{}", least / 10, least % 10,
                     device.name, device.major, device.minor);
}

}  // namespace lab::judge
