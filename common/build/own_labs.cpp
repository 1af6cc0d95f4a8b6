#include "build/own_labs.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "build/toolchain.hpp"
#include "lab/keep_labs.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "text/atomic_file.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double compiling_definition_s = 300;

std::vector<fs::path> files_in(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> all;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored))
    if (file.path().extension() == extension) all.push_back(file.path());
  std::ranges::sort(all);
  return all;
}

bool is_known(const std::string& name) {
  return std::ranges::any_of(labs(), [&](const entry& lab) { return lab.name == name; });
}

std::vector<std::string> command_for(const fs::path& folder, const fs::path& compiler) {
  const auto& home = here().home;
  std::vector<std::string> command = {
      compiler.string(), "-std=c++20", "-O2",
      "-fPIC",           "-shared",    fmt::format("-DLAB_NAME=\"{}\"", folder.filename().string())};
  for (const auto& include : {folder, here().root / "labs", home / "labs", home / "common"})
    command.push_back("-I" + include.string());
  for (const auto& source : files_in(folder, ".cpp")) command.push_back(source.string());
  return command;
}

// All that the definition is compiled from, so that an edit compiles it again.
std::string identity(const fs::path& folder, const std::vector<std::string>& command) {
  std::string text = toolchain_identity(backend_kind::sim);
  for (const auto& word : command) text += word + '\n';
  const auto add = [&](const fs::path& from, std::string_view extension) {
    for (const auto& file : files_in(from, extension)) text += read_whole(file);
  };
  add(folder, ".cpp");
  for (const auto& from : {folder, here().root / "labs/families", here().home / "labs/families",
                           here().home / "common/lab", here().home / "common/support"})
    add(from, ".hpp");
  return fingerprint(text);
}

// The log of a failed compilation; empty if the library is complete.
std::string compile(std::vector<std::string> command, const fs::path& library) {
  std::error_code why;
  fs::create_directories(library.parent_path(), why);
  if (why) throw write_error(library.parent_path(), why);
  const auto part = fs::path{fmt::format("{}.{}.part", library.string(), getpid())};
  command.insert(command.end(), {"-o", part.string()});
  spawn_request request;
  request.arguments = std::move(command);
  request.environment = clean_environment({"HOME", "TMPDIR"});
  const auto end = run_program(request, compiling_definition_s);
  if (end.well()) fs::rename(part, library, why);
  fs::remove(part, why);
  return end.well() ? "" : end.output.empty() ? "the compiler did not end" : end.output;
}

std::string load(const fs::path& folder) {
  const auto compilers = host_compilers(backend_kind::sim);
  if (compilers.empty()) return "no C++ compiler is installed; apt-get install g++";
  const auto command = command_for(folder, compilers.front());
  const auto name = fmt::format("{}-{}.so", folder.filename().string(), identity(folder, command));
  const auto library = here().cache / "definitions" / name;
  if (!exists(library))
    if (const auto log = compile(command, library); !log.empty()) return log;
  // It stays loaded, because the registry holds its functions.
  if (!dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) return dlerror();
  return is_known(folder.filename().string()) ? "" : "it registers no lab of this name; use LAB_NAME";
}

}  // namespace

std::vector<fs::path> own_lab_folders(const fs::path& course) {
  std::vector<fs::path> all;
  std::error_code ignored;
  for (const auto& folder : fs::directory_iterator(course / "labs", ignored))
    if (exists(folder.path() / "lab.cpp") && !is_known(folder.path().filename().string())) all.push_back(folder.path());
  std::ranges::sort(all);
  return all;
}

std::vector<std::string> load_own_labs() {
  std::vector<std::string> wrong;
  for (const auto& folder : own_lab_folders(here().root))
    if (const auto log = load(folder); !log.empty())
      wrong.push_back(fmt::format("{}/lab.cpp: this definition cannot be used, so the lab is left out:\n{}",
                                  folder.lexically_relative(here().root).string(), log));
  if (exists(here().root / course_mark))
    keep_labs([](const entry& lab) { return exists(here().root / "labs" / lab.name); });
  return wrong;
}

}  // namespace lab::judge
