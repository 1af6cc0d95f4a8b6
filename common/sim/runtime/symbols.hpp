#pragma once

#include <cstddef>
#include <string>

namespace lab::sim {

/// What the symbol table says of a kernel: its name without arguments, and the bytes of the __shared__ variables that
/// it declares itself.
struct kernel_symbol {
  std::string name = "?";
  std::size_t static_shared = 0;
};
const kernel_symbol& symbol_of(const void* kernel);

/// The variable of the program that lies at an address; empty when there is none.
std::string variable_name_at(const void* address);

}  // namespace lab::sim
