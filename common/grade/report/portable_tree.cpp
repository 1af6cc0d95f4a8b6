#include "grade/report/portable_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>

#include "support/installation.hpp"
#include "support/process.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

constexpr double most_inspection_seconds = 120;

// What Ubuntu 22.04 has, and setup.sh installs there.
const std::set<std::string> system_libraries{
    "libc.so.6",     "libm.so.6",    "libdl.so.2",       "librt.so.1",           "libpthread.so.0", "libstdc++.so.6",
    "libgcc_s.so.1", "libgomp.so.1", "libarchive.so.13", "ld-linux-x86-64.so.2", "liblab-sim.so"};
const std::map<std::string, std::vector<int>> newest{
    {"GLIBC", {2, 35}}, {"GLIBCXX", {3, 4, 30}}, {"CXXABI", {1, 3, 13}}};

std::vector<int> numbers_in(const std::string& version) {
  std::vector<int> all;
  static const std::regex number{"[0-9]+"};
  for (std::sregex_iterator at{version.begin(), version.end(), number}, end; at != end; ++at)
    all.push_back(std::stoi(at->str()));
  return all;
}

std::string output_of(const std::vector<std::string>& command) {
  const auto done = run_program({.arguments = command, .environment = clean_environment({})}, most_inspection_seconds);
  if (!done.well()) throw std::runtime_error(fmt::format("{} failed: {}", command.front(), done.output));
  return done.output;
}

std::vector<fs::path> programs_in(const fs::path& tree) {
  std::vector<fs::path> all;
  for (const auto* folder : {"bin", "lib"})
    for (const auto& file : fs::directory_iterator{tree / folder})
      if (file.is_regular_file() && file.path().filename() != gpu_runner) all.push_back(file.path());
  std::ranges::sort(all);
  return all;
}

}  // namespace

fs::path portable_tree(const fs::path& scratch) {
  if (!here().is_checkout()) return here().build;
  for (const auto* component : {"tools", "libraries"})
    output_of({"cmake", "--install", here().build.string(), "--component", component, "--strip", "--prefix",
               scratch.string()});
  return scratch / "libexec/kernel_lab";
}

std::vector<std::string> misfits_of(const std::string& objdump, const std::set<std::string>& shipped) {
  static const std::regex needed{R"(NEEDED\s+(\S+))"},
      version{R"(0x[0-9a-f]+ 0x[0-9a-f]+ [0-9]+ ((GLIBC|GLIBCXX|CXXABI)_[0-9.]+))"};
  std::set<std::string> all;
  for (std::sregex_iterator at{objdump.begin(), objdump.end(), needed}, end; at != end; ++at)
    if (const auto library = (*at)[1].str(); !shipped.contains(library) && !system_libraries.contains(library))
      all.insert(library);
  for (std::sregex_iterator at{objdump.begin(), objdump.end(), version}, end; at != end; ++at)
    if (numbers_in((*at)[1]) > newest.at((*at)[2])) all.insert((*at)[1]);
  return {all.begin(), all.end()};
}

void require_fit_for_gradescope(const fs::path& tree) {
  std::set<std::string> shipped;
  for (const auto& file : programs_in(tree)) shipped.insert(file.filename().string());
  std::string misfits;
  for (const auto& file : programs_in(tree))
    if (const auto lacking = misfits_of(output_of({"objdump", "-p", file.string()}), shipped); !lacking.empty())
      misfits += fmt::format("\n  {} needs {}", file.filename().string(), fmt::join(lacking, ", "));
  if (!misfits.empty())
    throw std::runtime_error("these programs would not run on Gradescope's Ubuntu 22.04:" + misfits +
                             "\nUse the wheel or the tarball, or a checkout on Debian 12, as in containers/graders.");
}

}  // namespace lab::grade
