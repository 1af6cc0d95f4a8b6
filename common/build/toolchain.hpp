#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/build.hpp"

namespace lab::judge {

/// The simulator's compiler driver of this build, whether or not it exists.
std::filesystem::path labcc();

/// NVIDIA's compiler from LAB_NVCC, PATH or /usr/local/cuda; empty if there is none.
std::filesystem::path nvcc();

/// The compilers for host code that this back end's compiler starts: for labcc LAB_CXX or the one that built it, for
/// nvcc what PATH has. One that does not exist is left out.
std::vector<std::filesystem::path> host_compilers(backend_kind b);

/// The command that makes a shared object, less "-o" and its name.
std::vector<std::string> compile_command(const build_request& r);

/// Everything besides the command and the sources that decides what the compiler makes, as text.
std::string toolchain_identity(backend_kind b);

}  // namespace lab::judge
