#include "sim/labcc/driver/clang_check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#include "sim/labcc/driver/held_messages.hpp"
#include "sim/labcc/driver/toolchain.hpp"

namespace lab::sim {

namespace {

constexpr const char* check_headers = "check.pch";  // in the folder of precompiled headers

std::string clang() {
  if (const char* chosen = std::getenv("LAB_CLANG"); chosen && *chosen) return chosen;
  if (!program_in_path("clang++").empty()) return "clang++";
  for (int version = 30; version >= 14; --version)
    if (const auto name = "clang++-" + std::to_string(version); !program_in_path(name).empty()) return name;
  return {};
}

// Where installations of clang have its headers: beside its program. Empty unless there is exactly one such folder.
std::string headers_beside(const std::string& compiler) {
  std::error_code missing;
  const auto program =
      fs::canonical(compiler.find('/') != std::string::npos ? fs::path{compiler} : program_in_path(compiler), missing);
  if (missing) return {};
  std::vector<fs::path> found;
  for (const auto& version : fs::directory_iterator(program.parent_path() / "../lib/clang", missing))
    if (fs::exists(version.path() / "include/stddef.h", missing)) found.push_back(version.path() / "include");
  return found.size() == 1 ? found.front().string() : std::string{};
}

// Clang needs 0.1 s only to start, so it is asked only if it is not installed in the usual way.
std::string headers_by_its_report(const std::string& compiler) {
  const auto command = "'" + compiler + "' -print-resource-dir 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> out{popen(command.c_str(), "r"), pclose};
  char line[4096] = "";
  if (!out || !std::fgets(line, sizeof line, out.get())) return {};
  const std::string folder = line;
  return folder.substr(0, folder.find('\n')) + "/include";
}

// The folder of clang's own headers, without its wrappers of NVIDIA's.
std::string own_headers(const std::string& compiler) {
  const auto beside = headers_beside(compiler);
  return beside.empty() ? headers_by_its_report(compiler) : beside;
}

// The clang command without the sources. It includes clang's own headers, if clang reports where they are.
std::vector<std::string> strict_command(const options& wanted, const std::string& compiler,
                                        const std::string& headers) {
  std::vector<std::string> command = {compiler,        "-x",         "cuda",      "--cuda-host-only",
                                      "-fsyntax-only", "-nocudainc", "-nocudalib"};
  if (!headers.empty()) command.insert(command.end(), {"-nobuiltininc", "-isystem", headers});
  command.insert(command.end(),
                 {"-isystem", include_folder().string(), "-Wno-unknown-cuda-version", "-Wno-ignored-attributes",
                  "-Xclang", "-fcuda-allow-variadic-functions", "-D__CUDACC__=1", "-D__NVCC__=1", "-DLAB_SIM_STRICT=1",
                  "-include", "cuda_runtime.h", wanted.standard});
  for (const auto& folder : wanted.include) command.push_back("-I" + folder.string());
  for (const auto& flag : wanted.flags)
    if (flag.starts_with("-D") || flag.starts_with("-U")) command.push_back(flag);
  return command;
}

// Clang takes constexpr functions for device functions, and C++20 made std::vector constexpr. Without that, clang also
// finds errors in the library's own headers, which the reader of the messages must ignore.
const std::vector<std::string> of_check_only{"-D_GLIBCXX20_CONSTEXPR=", "-ferror-limit=0"};

std::vector<std::string> with_precompiled(std::vector<std::string> command, const fs::path& headers) {
  const auto included = std::find(command.begin(), command.end(), "-include");
  included[0] = "-include-pch";
  included[1] = headers.string();
  return command;
}

// Precompiled headers take two thirds off clang's time. They fit one set of options, and headers or a clang that
// changed since make clang complain. So only a source without any message is taken at clang's word.
bool surely_accepted(const std::vector<std::string>& command, const options& wanted) {
  const auto headers = precompiled_folder() / check_headers;
  std::error_code missing;
  if (!wanted.check_only || wanted.standard != "-std=c++20" || !wanted.flags.empty() ||
      fs::file_size(headers, missing) == 0 || missing)
    return false;
  const held_messages messages;
  return run(with_precompiled(command, headers), false) == 0 && !messages.any();
}

}  // namespace

int precompile_for_check(const options& wanted) {
  const std::string compiler = clang(), headers = compiler.empty() ? "" : own_headers(compiler);
  fs::create_directories(fs::path{wanted.output}.parent_path());
  std::ofstream{wanted.output};
  if (headers.empty()) return 0;
  auto command = strict_command(wanted, compiler, headers);
  command.erase(std::find(command.begin(), command.end(), "-fsyntax-only"));
  command.insert(command.end(), of_check_only.begin(), of_check_only.end());
  // A package gives the headers other times, and its own paths to the same texts.
  const auto made = wanted.output + ".new";
  command.insert(command.end(),
                 {"-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", "-c", "-o", made, "/dev/null"});
  const held_messages dropped;
  if (run(command, false) == 0) fs::rename(made, wanted.output);
  return 0;
}

int check_strictly(const options& wanted) {
  const std::string compiler = clang(), headers = compiler.empty() ? "" : own_headers(compiler);
  if (headers.empty()) {
    std::cerr << "labcc: --strict needs clang++ 14 or newer, whose CUDA front end it uses; install clang"
              << (compiler.empty() ? "" : " (" + compiler + " does not run)") << " or set LAB_CLANG\n";
    return 3;
  }
  auto command = strict_command(wanted, compiler, headers);
  if (wanted.check_only) command.insert(command.end(), of_check_only.begin(), of_check_only.end());
  for (const auto& source : wanted.sources) {
    command.push_back(source.string());
    if (surely_accepted(command, wanted)) {
      command.pop_back();
      continue;
    }
    if (const int status = run(command, wanted.verbose); status != 0) return status;
    command.pop_back();
  }
  return 0;
}

int show_strict_command(const options& wanted) {
  const std::string compiler = clang(), headers = compiler.empty() ? "" : own_headers(compiler);
  for (const auto& word : strict_command(wanted, headers.empty() ? "clang++" : compiler, headers))
    std::cout << word << "\n";
  return 0;
}

}  // namespace lab::sim
