#include "build/toolchain.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "build/availability.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

std::string stamp(const fs::path& path, const fs::path& name) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return fmt::format("{} missing\n", name.string());
  return fmt::format("{} {} {}.{}\n", name.string(), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string stamp(const fs::path& path) { return stamp(path, path); }

std::string stamps_below(const fs::path& folder) {
  std::vector<std::string> all;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    if (entry.is_regular_file()) all.push_back(stamp(entry.path(), entry.path().lexically_relative(folder)));
  std::ranges::sort(all);
  std::string text;
  for (const auto& line : all) text += line;
  return text;
}

std::string architecture_here() {
  if (const char* chosen = std::getenv("LAB_CUDA_ARCH")) return chosen;
  // nvcc's own "native" asks the driver, which fails under the compiler's memory limit, so the runner is asked instead.
  const int capability = probe(backend_kind::cuda).capability;
  return capability > 0 ? fmt::format("sm_{}", capability) : "native";
}

// No other GPU can use the PTX of an architecture with a letter (sm_90a), so -gencode leaves it out; -arch would add
// it. A GPU of sm_90 runs code for sm_90a.
std::string architecture_flag(const std::string& wanted, bool or_any) {
  const auto architecture = wanted.empty() || or_any ? architecture_here() : wanted;
  if (wanted.empty() || !wanted.starts_with(architecture)) return fmt::format("-arch={}", architecture);
  return fmt::format("-gencode=arch=compute_{0},code=sm_{0}", wanted.substr(wanted.find('_') + 1));
}

}  // namespace

fs::path labcc() { return here().build / "bin/labcc"; }

fs::path nvcc() {
  if (const char* chosen = std::getenv("LAB_NVCC")) return chosen;
  if (const auto found = find_program("nvcc"); !found.empty()) return found;
  const fs::path usual = "/usr/local/cuda/bin/nvcc";
  return is_file(usual) ? usual : fs::path{};
}

std::vector<fs::path> host_compilers(backend_kind backend) {
  std::vector<fs::path> all;
  const auto add = [&](const fs::path& path) {
    const auto found = path.has_parent_path() ? fs::absolute(path) : find_program(path.string());
    if (is_file(found)) all.push_back(found);
  };
  const char* const chosen = std::getenv("LAB_CXX");
  if (backend == backend_kind::sim)
    add(chosen && *chosen ? chosen : is_file(LAB_CONFIGURED_CXX) ? LAB_CONFIGURED_CXX : "g++");
  else
    for (const char* name : {"gcc", "g++"}) add(name);
  return all;
}

std::vector<std::string> compile_command(const build_request& request) {
  std::vector<std::string> command;
  if (request.backend == backend_kind::sim) {
    command = request.strict ? std::vector<std::string>{labcc().string(), "--check", "-std=c++20"}
                             : std::vector<std::string>{
                                   labcc().string(), "--shared",      request.traced ? "--trace" : "--fast", "-O2",
                                   "-std=c++20",     "--no-libraries"};
    if (request.countable) command.emplace_back("--countable");
    // Mistakes that explain wrong values; the judge shows the warnings of a kernel that fails.
    for (const char* warning : {"-Wuninitialized", "-Wmaybe-uninitialized", "-Wunused-but-set-variable",
                                "-Wunused-value", "-Wparentheses", "-Wempty-body", "-Wbool-compare"})
      if (!request.strict) command.emplace_back(warning);
  } else {
    command = {nvcc().string(), "-O3", "-std=c++20"};
    if (request.line_info) command.emplace_back("-lineinfo");
    command.push_back(architecture_flag(request.architecture, request.or_any));
    if (request.device_only)
      command.push_back("-cubin");
    else
      command.insert(command.end(), {"-shared", "-Xcompiler", "-fPIC", "-cudart", "shared"});
  }
  for (const auto& folder : request.include) command.push_back("-I" + folder.string());
  command.push_back(request.source.string());
  for (const auto& library : request.device_only ? std::vector<std::string>{} : request.link)
    command.push_back("-l" + library);
  return command;
}

std::string own_identity() {
  std::error_code unknown;
  return stamp(fs::read_symlink("/proc/self/exe", unknown));
}

std::string toolchain_identity(backend_kind backend) {
  std::string host;
  for (const auto& compiler : host_compilers(backend)) host += stamp(compiler);
  if (backend == backend_kind::cuda) return stamp(nvcc()) + stamp(nvcc().parent_path() / "../nvvm/bin/cicc") + host;
  return stamp(labcc()) + host + stamps_below(here().home / "common/sim/include");
}

}  // namespace lab::judge
