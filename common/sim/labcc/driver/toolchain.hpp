#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// The folders of the simulator's headers and of its runtime library.
fs::path include_folder();
fs::path library_folder();

/// The folder of the precompiled headers; empty if there is none.
fs::path precompiled_folder();

/// $LAB_CXX, else the compiler of -ccbin, else the compiler that built labcc or, where it is missing, g++.
std::string host_compiler(const options& wanted);

/// The first executable file of this name in $PATH; empty when there is none.
fs::path program_in_path(const std::string& name);

/// Runs a program. Returns its exit status, or 3 if it cannot start.
int run(const std::vector<std::string>& command, bool show);

}  // namespace lab::sim
