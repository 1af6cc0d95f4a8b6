#include "sim/labcc/driver/toolchain.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace lab::sim {

namespace {

// A path in the build tree or installation of this program, else the path at build time.
fs::path beside_me(const std::vector<std::string>& candidates, const char* built) {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& c : candidates)
    if (const fs::path found = here / c; fs::exists(found, ignored)) return found.lexically_normal();
  return built;
}

}  // namespace

fs::path include_folder() { return beside_me({"../include/kernel_lab/sim"}, LAB_SIM_INCLUDE); }

fs::path library_folder() {
  const auto library = beside_me({"../lib/liblab-sim.so", "../lib/kernel_lab/sim/liblab-sim.so",
                                  "../lib/x86_64-linux-gnu/kernel_lab/sim/liblab-sim.so"},
                                 LAB_SIM_LIBRARY "/liblab-sim.so");
  return library.parent_path();
}

fs::path precompiled_folder() {
  const fs::path folder = beside_me({"../precompiled"}, "");
  return std::ifstream{folder / "cuda_runtime.h"} ? folder
                                                  : fs::path{};  // a sandbox may show it and not let it be read
}

int run(const std::vector<std::string>& command, bool show) {
  std::vector<char*> raw;
  for (const auto& word : command) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);
  if (show) {
    for (const auto& word : command) std::cerr << word << ' ';
    std::cerr << '\n';
  }
  pid_t child = 0;
  if (posix_spawnp(&child, raw[0], nullptr, nullptr, raw.data(), environ) != 0) {
    std::cerr << "labcc: cannot run the host compiler " << command[0] << "; install g++ or set LAB_CXX\n";
    return 3;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string host_compiler(const options& wanted) {
  if (const char* chosen = std::getenv("LAB_CXX"); chosen && *chosen) return chosen;
  return wanted.compiler.empty() ? LAB_SIM_CXX : wanted.compiler;
}

fs::path program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders{path ? path : ""};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path{folder} / name; access(file.c_str(), X_OK) == 0) return file;
  return {};
}

}  // namespace lab::sim
