#include <exception>
#include <iostream>

#include "sim/labcc/driver/compile.hpp"

namespace {

constexpr const char* help =
    "labcc: compiles CUDA C++ for the CPU simulator; options as nvcc's\n"
    "  labcc FILE.cu... [-o OUT] [-c] [--shared] [-std=c++20] [-I DIR] [-D NAME] [-O2] [-g] [-l LIB] ...\n"
    "  --fast    all cores, no checks (default)\n"
    "  --trace   every memory access is seen: hazards and profile; the program writes them to $LAB_SIM_JSON\n"
    "  --schedules N   with --trace: the program tries N orders of blocks and warps each time it runs\n"
    "  --strict  let clang, where it is installed, check what kernels may do: call only device functions, ...\n"
    "  --strict-command    only print what --strict would run, a word a line; editors understand kernels by it\n"
    "  --keep    keep the rewritten sources\n"
    "  --precompile [options] -o DIR/cuda_runtime.h.gch/NAME    only our headers, for builds with the same options\n"
    "The host compiler is $LAB_CXX, or the one that built labcc.\n";

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto wanted = lab::sim::parse({argv + 1, argv + argc});
    if (wanted.help) return std::cout << help, 0;
    return lab::sim::compile(wanted);
  } catch (const lab::sim::usage_error& e) {
    std::cerr << "labcc: " << e.what() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "labcc: " << e.what() << "\n";
    return 1;
  }
}
