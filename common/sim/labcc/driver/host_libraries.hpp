#pragma once

#include <string>
#include <string_view>

// CUDA's libraries that the simulator has on the host: cuBLAS and others. A machine that lacks a package builds without
// the library that needs it.

namespace lab::sim {

struct host_library {
  std::string_view name, title, package;
  std::string file() const { return "liblab-sim-" + std::string{name} + ".so"; }
  std::string option() const { return "-llab-sim-" + std::string{name}; }
  /// Whether this build has it.
  bool present() const;
  /// What to do if it does not.
  std::string lacks() const;
};

/// The library to which a header of the simulator belongs, or that an option such as -lcublas names; null if none.
const host_library* library_of_header(std::string_view header);
const host_library* library_of_option(std::string_view option);

}  // namespace lab::sim
