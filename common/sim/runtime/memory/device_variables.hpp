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

/// The variable that holds `p`, or the last one that begins before it; null when there is none.
const variable* variable_at_or_before(std::uintptr_t p);

/// What lies at the address of a variable, of a kernel's or the host's, in words.
struct variable_place {
  std::string words;
  bool of_host;  // it belongs to no variable that kernels may use
};
variable_place describe_variable(std::uintptr_t p);

/// Where __device__ and __constant__ variables lie, from the first to the last.
extern std::uintptr_t first_variable, all_variables_bytes;

}  // namespace lab::sim
