#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab::sim {

/// What the symbol table says of a kernel: its name without arguments, and the bytes of the __shared__ variables that
/// it declares itself.
struct kernel_symbol {
  std::string name = "?";
  std::size_t static_shared = 0;
};
const kernel_symbol& symbol_of(const void* kernel);

/// A __shared__ variable, by its place in the thread-local memory of the program or library that declares it.
struct shared_variable {
  std::size_t begin, bytes;
  std::string name;
};
/// Those of the program or library that holds this address. Traced runs only: it is not safe to call from two threads.
const std::vector<shared_variable>& shared_variables_of(std::uintptr_t module_address);

/// The variable of the program that lies at an address; empty when there is none.
std::string variable_name_at(const void* address);

}  // namespace lab::sim
