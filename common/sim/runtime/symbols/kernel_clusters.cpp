#include "sim/runtime/symbols/kernel_clusters.hpp"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "cuda_runtime_api.h"
#include "lab_sim/device.h"
#include "lab_sim/launch.h"
#include "sim/runtime/symbols/symbol_table.hpp"

// A kernel `_Z1kPi` with __cluster_dims__ registers its own type `lab_cluster`, whose name is Z1kPiE11lab_cluster.

namespace lab::sim {

namespace {

std::mutex clusters_guard;
std::map<std::string, dim3>& all_clusters() {  // by the kernels' symbols
  static auto* const all = new std::map<std::string, dim3>;
  return *all;
}

// "ns::k<int>" is k.
std::string_view last_word(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const auto scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

}  // namespace

std::optional<dim3> cluster_of_kernel(const void* kernel, const char* name) {
  const std::lock_guard lock{clusters_guard};
  const auto& all = all_clusters();
  if (all.empty()) return dim3{};  // most programs, which need no symbols
  if (kernel) {
    const auto at = all.find(symbol_of(kernel).symbol);
    return at == all.end() ? dim3{} : at->second;
  }
  std::optional<dim3> found;
  for (const auto& [symbol, blocks] : all) {
    if (!name || last_word(plain_name(symbol.c_str())) != last_word(name)) continue;
    if (found && !same_size(*found, blocks)) return std::nullopt;
    found = blocks;
  }
  return found.value_or(dim3{});
}

}  // namespace lab::sim

bool lab_sim::register_cluster(const char* type, dim3 blocks) {
  const std::string_view local = type, own = "E11lab_cluster";
  const std::lock_guard lock{lab::sim::clusters_guard};
  lab::sim::all_clusters()["_" + std::string{local.substr(0, local.rfind(own))}] = blocks;
  return true;
}
