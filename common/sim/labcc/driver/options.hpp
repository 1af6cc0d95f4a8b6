#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab::sim {

namespace fs = std::filesystem;

/// A wrong command line; main exits with status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line in the host compiler's terms.
struct options {
  std::vector<fs::path> sources;    // to be rewritten
  std::vector<std::string> others;  // objects, libraries, C++ files: in the order given
  std::vector<std::string> flags;   // for the host compiler
  std::vector<fs::path> include;    // -I, also among the flags
  std::vector<std::string> link;    // -l, -L, -Xlinker
  fs::path cccl;                    // a -I folder with NVIDIA's CCCL headers, not among `include`
  std::string output, standard = "-std=gnu++17", level = "-O2", compiler;
  unsigned architecture = 0;  // what __CUDA_ARCH__ is in device code; 0: that of the simulator's default device
  unsigned schedules = 0;     // of a traced program, unless its environment sets another number
  bool compile_only = false, device_link = false, shared = false, trace = false, strict = false, check_only = false,
       strict_command = false, countable = false, keep = false, precompile = false, preprocess = false, verbose = false,
       help = false, version = false, libraries = true, thread_loops = true;
};

/// Whether the host compiler compiles this file.
bool is_source(const fs::path& file);

/// Reads a command line in nvcc's form.
options parse(const std::vector<std::string>& arguments);

}  // namespace lab::sim
