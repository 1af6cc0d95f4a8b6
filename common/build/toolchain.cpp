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

std::string stamp(const fs::path& p) {
  struct stat s {};
  if (stat(p.c_str(), &s) != 0) return fmt::format("{} missing\n", p.string());
  return fmt::format("{} {} {}.{}\n", p.string(), s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

std::string stamps_below(const fs::path& folder) {
  std::vector<std::string> all;
  std::error_code ignored;
  for (const auto& e : fs::recursive_directory_iterator(folder, ignored))
    if (e.is_regular_file()) all.push_back(stamp(e.path()));
  std::ranges::sort(all);
  std::string text;
  for (const auto& s : all) text += s;
  return text;
}

std::string architecture_here() {
  if (const char* chosen = std::getenv("LAB_CUDA_ARCH")) return chosen;
  // nvcc's own "native" asks the driver, which a limit on the compiler's memory prevents; the runner knows.
  const int capability = probe(backend_kind::cuda).capability;
  return capability > 0 ? fmt::format("sm_{}", capability) : "native";
}

// An architecture with a letter has no PTX that others could use, which -arch would make all the same. The GPU that is
// there, sm_90, has what sm_90a has.
std::string architecture_flag(const std::string& wanted, bool or_any) {
  const auto here = wanted.empty() || or_any ? architecture_here() : wanted;
  if (wanted.empty() || !wanted.starts_with(here)) return fmt::format("-arch={}", here);
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

std::vector<fs::path> host_compilers(backend_kind b) {
  std::vector<fs::path> all;
  const auto add = [&](const fs::path& p) {
    const auto found = p.has_parent_path() ? fs::absolute(p) : find_program(p.string());
    if (is_file(found)) all.push_back(found);
  };
  const char* const chosen = std::getenv("LAB_CXX");
  if (b == backend_kind::sim)
    add(chosen && *chosen ? chosen : LAB_CONFIGURED_CXX);
  else
    for (const char* name : {"gcc", "g++"}) add(name);
  return all;
}

std::vector<std::string> compile_command(const build_request& r) {
  std::vector<std::string> command;
  if (r.backend == backend_kind::sim) {
    command = {labcc().string(), "--shared", r.traced ? "--trace" : "--fast", "-O2", "-std=c++20"};
  } else {
    command = {nvcc().string(), "-O3", "-std=c++20", "-lineinfo", architecture_flag(r.architecture, r.or_any)};
    if (r.device_only)
      command.push_back("-cubin");
    else
      command.insert(command.end(), {"-shared", "-Xcompiler", "-fPIC", "-cudart", "shared"});
  }
  for (const auto& folder : r.include) command.push_back("-I" + folder.string());
  command.push_back(r.source.string());
  for (const auto& library : r.device_only ? std::vector<std::string>{} : r.link) command.push_back("-l" + library);
  return command;
}

std::string toolchain_identity(backend_kind b) {
  std::string host;
  for (const auto& compiler : host_compilers(b)) host += stamp(compiler);
  if (b == backend_kind::cuda) return stamp(nvcc()) + stamp(nvcc().parent_path() / "../nvvm/bin/cicc") + host;
  return stamp(labcc()) + host + stamps_below(here().root / "common/sim/include");
}

}  // namespace lab::judge
