#include "sim/labcc/driver/toolchain.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

namespace lab::sim {

namespace {

// A path in the build tree or installation of this program, else the path at build time.
fs::path beside_me(const char* candidate, const char* built) {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path found = here / candidate;
  return fs::exists(found, ignored) ? found.lexically_normal() : fs::path{built};
}

}  // namespace

fs::path include_folder() { return beside_me("../common/sim/include", LAB_SIM_INCLUDE); }

fs::path library_folder() { return beside_me("../lib/liblab-sim.so", LAB_SIM_LIBRARY "/liblab-sim.so").parent_path(); }

fs::path precompiled_folder() {
  const fs::path folder = beside_me("../precompiled", "");
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
  if (const int error = posix_spawnp(&child, raw[0], nullptr, nullptr, raw.data(), environ); error != 0) {
    std::cerr << "labcc: cannot run the host compiler " << command[0] << ": " << std::strerror(error)
              << (error == ENOENT ? "; install g++ or set LAB_CXX\n" : "\n");
    return 3;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string host_compiler(const options& wanted) {
  if (const char* chosen = std::getenv("LAB_CXX"); chosen && *chosen) return chosen;
  if (!wanted.compiler.empty()) return wanted.compiler;
  std::error_code ignored;
  return fs::exists(LAB_SIM_CXX, ignored) ? LAB_SIM_CXX : "g++";
}

fs::path program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders{path ? path : ""};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path{folder} / name; access(file.c_str(), X_OK) == 0) return file;
  return {};
}

}  // namespace lab::sim
