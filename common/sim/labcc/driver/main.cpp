#include <exception>
#include <iostream>
#include <string_view>

#include "sim/labcc/driver/compile.hpp"

namespace lab::sim {

extern const std::string_view help_text;  // help.txt

}

namespace {

// In the form of nvcc's, from which makefiles read the release, and CMake the vendor.
constexpr const char* version =
    "nvcc: NVIDIA (R) Cuda compiler driver, whose place labcc takes: Kernel Lab's compiler for the CPU simulator\n"
    "Cuda compilation tools, release 13.0, V13.0.0\n";

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto wanted = lab::sim::parse({argv + 1, argv + argc});
    if (wanted.help) return std::cout << lab::sim::help_text, 0;
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
