#include <exception>
#include <iostream>

#include "sim/labcc/driver/compile.hpp"

namespace {

constexpr const char* help =
    "labcc compiles CUDA C++ for the CPU simulator. It accepts nvcc's options.\n"
    "  labcc FILE.cu... [-o OUT] [-c] [--shared] [-std=c++17] [-I DIR] [-D NAME] [-O2] [-g] [-l LIB] ...\n"
    "  --fast           use all cores and check nothing (default)\n"
    "  --trace          record every memory access; the program writes hazards and profile to $LAB_SIM_JSON\n"
    "  --schedules N    with --trace: each run of the program tries N orders of blocks and warps\n"
    "  --countable      with --trace: refuse code that could hide accesses from the tracer\n"
    "  --strict         check the source with clang first: kernels call only device functions, and the like\n"
    "  --check          only that check, in full: its messages about the library's own headers mean nothing\n"
    "  --strict-command print the command of --strict, one word per line, for editors\n"
    "  --keep           keep the rewritten sources\n"
    "  --precompile -o DIR/cuda_runtime.h.gch/NAME   precompile the headers for builds with the same options\n"
    "The host compiler is $LAB_CXX, else the compiler that built labcc.\n";

// In the form of nvcc's, from which makefiles read the release.
constexpr const char* version =
    "labcc: Kernel Lab's compiler for the CPU simulator, in the place of the NVIDIA (R) Cuda compiler driver\n"
    "Cuda compilation tools, release 13.0, V13.0.0\n";

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto wanted = lab::sim::parse({argv + 1, argv + argc});
    if (wanted.help) return std::cout << help, 0;
    if (wanted.version) return std::cout << version, 0;
    return lab::sim::compile(wanted);
  } catch (const lab::sim::usage_error& e) {
    std::cerr << "labcc: " << e.what() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "labcc: " << e.what() << "\n";
    return 1;
  }
}
