#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "judge/build.hpp"

namespace lab::judge {

/// The simulator's compiler driver of this build, whether or not it exists.
std::filesystem::path labcc();

/// A program in one of PATH's folders; empty if there is none.
std::filesystem::path search(std::string_view program);

/// NVIDIA's compiler from LAB_NVCC, PATH or /usr/local/cuda; empty if there is none.
std::filesystem::path nvcc();

/// The compilers for host code that this back end's compiler starts: for labcc LAB_CXX or the one that built it, for
/// nvcc what PATH has. One that does not exist is left out.
std::vector<std::filesystem::path> host_compilers(backend b);

/// The program that runs kernels of this back end, whether or not it exists.
std::filesystem::path runner_program(backend b);

/// The command that makes a shared object, less "-o" and its name.
std::vector<std::string> compile_command(const build_request& r);

/// Everything besides the command and the sources that decides what the compiler makes, as text.
std::string toolchain_identity(backend b);

}  // namespace lab::judge
