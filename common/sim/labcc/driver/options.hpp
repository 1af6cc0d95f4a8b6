#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab::sim {

namespace fs = std::filesystem;

/// A command line that makes no sense; main exits with 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was asked for, in the host compiler's terms.
struct options {
  std::vector<fs::path> sources;    // to be rewritten
  std::vector<std::string> others;  // objects, libraries, C++ files: in the order given
  std::vector<std::string> flags;   // for the host compiler
  std::vector<fs::path> include;    // -I, also among the flags
  std::vector<std::string> link;    // -l, -L, -Xlinker
  std::string output, standard = "-std=gnu++20", level = "-O2", compiler;
  unsigned schedules = 0;  // that a traced program tries, unless its environment says otherwise
  bool compile_only = false, device_link = false, shared = false, trace = false, strict = false, strict_command = false,
       keep = false, precompile = false, verbose = false, help = false;
};

/// Is this a file that a host compiler compiles?
bool is_source(const fs::path& file);

/// Reads a command line as nvcc would be given.
options parse(const std::vector<std::string>& arguments);

}  // namespace lab::sim
