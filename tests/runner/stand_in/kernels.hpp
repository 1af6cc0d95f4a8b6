#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

// Kernels that the runtime in this folder knows by name and runs on the CPU, and the variables of their "file".
namespace tapes {

struct parameter {
  std::size_t offset, bytes;
};

struct kernel {
  std::string_view name;
  std::vector<parameter> parameters;
  void (*run)(void** values);
};

/// Nothing if there is none of this name.
const kernel* find(std::string_view name);

/// int bias: added by the kernel "add"; int launched: how often "add" has run. Loading the file makes them 0.
extern int bias, launched;

}  // namespace tapes
