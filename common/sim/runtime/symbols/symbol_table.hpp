#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab::sim {

/// A kernel in the symbol table: its name without arguments, its symbol, and the bytes of the __shared__ variables that
/// it declares.
struct kernel_symbol {
  std::string name = "?", symbol = {};
  std::size_t static_shared = 0;
};
const kernel_symbol& symbol_of(const void* kernel);

/// A function's name without arguments: that of `_ZN2ns1kIiEEvPi` is ns::k<int>.
std::string plain_name(const char* symbol);

/// A __shared__ variable, by its offset in the thread-local memory of the program or library that declares it. The
/// compiler's own, which guards the destructor of another, has no name.
struct shared_variable {
  std::size_t begin, bytes;
  std::string name;
};
/// The variables of the program or library at this address. Not thread-safe; for traced runs only.
const std::vector<shared_variable>& shared_variables_of(std::uintptr_t module_address);

/// The name of the program's variable at an address; empty if there is none.
std::string variable_name_at(const void* address);

}  // namespace lab::sim
