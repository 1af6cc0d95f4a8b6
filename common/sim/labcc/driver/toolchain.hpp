#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Where the headers that stand in for CUDA's are, and the runtime.
fs::path include_folder();
fs::path library_folder();

/// Where a build keeps these headers in the form that the compiler reads fastest; empty if it has none.
fs::path precompiled_folder();

/// $LAB_CXX, what -ccbin chose, or the compiler that built labcc.
std::string host_compiler(const options& wanted);

/// The first executable file of this name in $PATH; empty when there is none.
fs::path program_in_path(const std::string& name);

/// Runs a program; its exit status, or 3 when it cannot be started.
int run(const std::vector<std::string>& command, bool show);

}  // namespace lab::sim
