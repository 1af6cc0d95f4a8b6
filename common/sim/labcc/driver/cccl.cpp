#include "sim/labcc/driver/cccl.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "sim/labcc/driver/toolchain.hpp"

namespace lab::sim {

namespace {

constexpr const char* version_header = "cuda/std/__cccl/version.h";

fs::path of_environment(const char* variable, const char* below) {
  const char* const value = std::getenv(variable);
  return value && *value ? fs::path{value} / below : fs::path{};
}

// The folder in which the Python package nvidia-cuda-cccl puts the headers, below one of installed packages.
fs::path below_packages(const fs::path& packages) {
  for (const char* place : {"nvidia/cu13/include/cccl", "nvidia/cuda_cccl/include/cccl", "nvidia/cuda_cccl/include"})
    if (holds_cccl(packages / place)) return packages / place;
  return {};
}

fs::path below_python(const fs::path& prefix) {
  std::error_code missing;
  for (const auto& version : fs::directory_iterator(prefix / "lib", missing))
    for (const char* packages : {"site-packages", "dist-packages"})
      if (auto found = below_packages(version.path() / packages); !found.empty()) return found;
  return {};
}

// A package beside the one that holds this program.
fs::path beside_this_program() {
  for (auto folder = library_folder(); folder.has_relative_path(); folder = folder.parent_path())
    if (auto found = below_packages(folder); !found.empty()) return found;
  return {};
}

}  // namespace

// CUB's and libcu++'s PTX are for a device alone.
bool is_usable_of_cccl(std::string_view header) {
  if (header.starts_with("cuda/ptx")) return false;
  return std::ranges::any_of(std::initializer_list<std::string_view>{"thrust/", "cuda/", "nv/"},
                             [&](std::string_view begin) { return header.starts_with(begin); });
}

bool holds_cccl(const fs::path& folder) {
  std::error_code missing;
  return fs::is_regular_file(folder / version_header, missing);
}

fs::path cccl_folder(const options& wanted) {
  if (!wanted.cccl.empty()) return wanted.cccl;
  if (auto chosen = of_environment("LAB_CCCL", ""); !chosen.empty()) return chosen;
  for (const auto& folder : {of_environment("CUDA_HOME", "include/cccl"), of_environment("CUDA_PATH", "include/cccl"),
                             fs::path{"/usr/local/cuda/include/cccl"}})
    if (holds_cccl(folder)) return folder;
  for (const auto& prefix : {of_environment("VIRTUAL_ENV", ""), of_environment("CONDA_PREFIX", ""),
                             of_environment("HOME", ".local"), fs::path{"/usr/local"}, fs::path{"/usr"}})
    if (auto found = prefix.empty() ? fs::path{} : below_python(prefix); !found.empty()) return found;
  return beside_this_program();
}

std::string cccl_is_unusable(const fs::path& folder) {
  constexpr const char* install =
      "; install them with `pip install nvidia-cuda-cccl==13.0.85`, or name their folder with -I or LAB_CCCL";
  if (folder.empty()) return "needs the CCCL headers of NVIDIA, which this machine lacks" + std::string{install};
  std::ifstream in{folder / version_header};
  const std::string_view before = "#define CCCL_VERSION ";
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(before))
      return line.substr(before.size()).starts_with("300")
                 ? ""
                 : "needs version 3.0 of the CCCL headers of NVIDIA; " + folder.string() + " has another" + install;
  return "finds no CCCL headers in " + folder.string() + install;
}

}  // namespace lab::sim
