#include "judge/backend.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "judge/runner_process.hpp"
#include "judge/toolchain.hpp"

namespace lab::judge {

namespace {

std::filesystem::path from_environment(const char* name, const char* configured) {
  const char* value = std::getenv(name);
  return value && *value ? value : configured;
}

availability probe_sim() {
  for (const auto& tool : {labcc(), runner_program(backend::sim)})
    if (!exists(tool)) return {false, fmt::format("{} is not built; run ./lab once, it builds it", tool.string())};
  return {true, {}};
}

availability probe_cuda() {
  if (nvcc().empty())
    return {false,
            "nvcc is not found on PATH or in /usr/local/cuda/bin; install the CUDA toolkit, version 12 or later"};
  const auto runner = runner_program(backend::cuda);
  if (!exists(runner))
    return {false, fmt::format("{} is not built; configure with the preset 'cuda' (or -DLAB_CUDA=ON) and build",
                               runner.string())};
  try {
    const runner_process started{{.backend = backend::cuda}};
    return {true, {}, static_cast<int>(started.device().major * 10 + started.device().minor)};
  } catch (const runner_failure& e) {
    return {false, fmt::format("no usable GPU: {}", e.what())};
  }
}

}  // namespace

std::string_view word(backend b) { return b == backend::cuda ? "cuda" : "sim"; }

availability probe(backend b) {
  static const availability sim = probe_sim();
  if (b == backend::sim) return sim;
  static const availability cuda = probe_cuda();
  return cuda;
}

backend default_backend() { return probe(backend::cuda).usable ? backend::cuda : backend::sim; }

const installation& here() {
  static const installation found{from_environment("LAB_ROOT", LAB_CONFIGURED_ROOT),
                                  from_environment("LAB_BUILD", LAB_CONFIGURED_BUILD)};
  return found;
}

}  // namespace lab::judge
