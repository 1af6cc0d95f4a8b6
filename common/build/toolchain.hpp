#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/build_request.hpp"

namespace lab::judge {

/// The simulator's compiler driver of this build; the file may not exist.
std::filesystem::path labcc();

/// NVIDIA's compiler from LAB_NVCC, PATH or /usr/local/cuda; empty if none is found.
std::filesystem::path nvcc();

/// The existing host compilers that this back end's compiler starts: for labcc LAB_CXX, the compiler that built it or
/// g++, for nvcc those in PATH.
std::vector<std::filesystem::path> host_compilers(backend_kind backend);

/// The command that compiles a shared object, without "-o" and its name.
std::vector<std::string> compile_command(const build_request& request);

/// Everything besides the command and the sources that changes the compiler's output, as text.
std::string toolchain_identity(backend_kind backend);

/// This program's path, size and time, as text: another build of it may count something else.
std::string own_identity();

}  // namespace lab::judge
