#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "build/build_request.hpp"

namespace lab::judge {

/// One instruction, and the line that it was compiled from.
struct instruction {
  std::string address{};    ///< "00a0"; PTX has no addresses
  std::string text{};       ///< "@!P0 LDG.E R7, desc[UR6][R6.64]"
  std::string label{};      ///< PTX: the label before it, "$L__BB0_3"
  int line = 0;             ///< of the kernel's source; 0 if it belongs to no line there
  std::string elsewhere{};  ///< then the line of another file, "helpers.h:87"; empty for code of the compiler's own
  bool spill = false;       ///< stores a register to local memory or loads it back, because registers ran out
};

/// What ptxas says that a kernel needs.
struct kernel_resources {
  int registers = 0, barriers = 0;
  std::uint64_t shared_bytes = 0, stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;
};

/// What `ptxas -v` printed about each kernel, by its symbol.
std::map<std::string, kernel_resources> resources_in(const std::string& report);

/// How many registers nvcc gives a thread of each kernel, by the kernel's name. Empty if it does not compile the
/// request.
std::map<std::string, int> registers_of(const build_request& request);

/// One kernel, or in PTX also a function that was not inlined.
struct kernel_code {
  std::string symbol{};  ///< as the linker knows it
  std::string name{};    ///< "matmul_kernel<64>"
  bool kernel = true;    ///< not a function
  std::vector<instruction> instructions{};
  std::optional<kernel_resources> resources{};
};

struct machine_code {
  std::string architecture{};          ///< "sm_90"
  std::vector<kernel_code> kernels{};  ///< in the order of the source
  build_result built{};                ///< with another verdict than pass there are no kernels
};

enum class code_language { sass, ptx };

/// Compiles the device code of a request and lists it: PTX is what nvcc makes, SASS what the GPU executes.
/// @throws std::runtime_error if nvdisasm is missing or fails; the message holds what it printed
machine_code list_code(const build_request& request, code_language language);

/// NVIDIA's disassembler from LAB_NVDISASM, from nvcc's folder or from PATH; empty if none is found.
std::filesystem::path nvdisasm();

/// The name without namespace, template arguments and parameters: "matmul_kernel".
std::string plain_name(const std::string& kernel);

}  // namespace lab::judge
