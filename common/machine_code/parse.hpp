#pragma once

#include <string_view>

#include "machine_code/machine_code.hpp"

namespace lab::judge {

/// Reads what `nvdisasm -gi -c` prints. An instruction gets the innermost line of `source` from which it was inlined.
machine_code parse_sass(const std::string& text, const std::filesystem::path& source);

/// Reads PTX that was compiled with -lineinfo.
machine_code parse_ptx(const std::string& text, const std::filesystem::path& source);

/// Adds what `ptxas -v` printed about each kernel.
void add_resources(machine_code& code, const std::string& report);

/// The name of a function from its symbol, "sum_kernel<64>", without parameters and anonymous namespaces.
std::string readable_name(const std::string& symbol);

/// The same for every symbol within an instruction, and "param_0" for a parameter.
std::string with_readable_names(const std::string& text);

}  // namespace lab::judge
