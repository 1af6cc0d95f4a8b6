#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

// Kernels that the fake runtime runs on the CPU, by name, and the global variables of their fake cubin.
namespace fake_cuda {

struct parameter {
  std::size_t offset, bytes;
};

struct kernel {
  std::string_view name;
  std::vector<parameter> parameters;
  void (*run)(void** values);
};

/// Null if no kernel has this name.
const kernel* find(std::string_view name);

/// The kernel "add" adds `bias` and counts its launches in `launched`. Loading the cubin sets both to 0.
extern int bias, launched;

}  // namespace fake_cuda
