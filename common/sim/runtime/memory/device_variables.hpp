#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lab::sim {

/// A __device__, __constant__ or __managed__ variable of a program.
struct variable {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  const char* name = nullptr;
  const char* qualifier = nullptr;
};

/// The variable at this address, else the last one that begins before it; null if there is none.
const variable* variable_at_or_before(std::uintptr_t address);

/// A description of the variable at an address, of the device or of the host.
struct variable_place {
  std::string words;
  bool of_host;  // kernels cannot access it
};
variable_place describe_variable(std::uintptr_t address);

/// The address range of all __device__ and __constant__ variables.
extern std::uintptr_t first_variable, all_variables_bytes;

}  // namespace lab::sim
