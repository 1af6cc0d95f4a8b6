#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "build/toolchain.hpp"
#include "cli/command.hpp"
#include "cli/progress/progress.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The clang command line for a kernel with the simulator's headers. labcc prints it, one argument a line.
std::vector<std::string> clang_command() {
  lab::spawn_request r;
  r.arguments = {judge::labcc().string(), "--strict-command", "-std=c++20"};
  r.environment = lab::clean_environment({"LAB_CLANG"});
  const auto end = run_program(r, 30);
  if (!end.well()) throw machine_error(fmt::format("{} failed: {}", r.arguments.front(), end.output));
  std::vector<std::string> all;
  std::istringstream lines{end.output};
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

void add_kernels(json& all, const std::vector<std::string>& command, const fs::path& folder, const fs::path& lab) {
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing)) {
    if (file.path().extension() != ".cu") continue;
    auto arguments = command;
    arguments.insert(arguments.end(), {"-I" + lab.string(), file.path().string()});
    all.push_back({{"directory", lab::here().root.string()}, {"file", file.path().string()}, {"arguments", arguments}});
  }
}

// A translation unit that joins several sources becomes an entry for each of them.
void add_sources(json& all, const json& entry) {
  const auto file = entry.at("file").get<std::string>();
  if (file.find("/Unity/") == std::string::npos) return all.push_back(entry);
  std::istringstream lines{lab::read_whole(file)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include \"")) continue;
    auto one = entry;
    one["file"] = line.substr(10, line.rfind('"') - 10);
    auto command = entry.at("command").get<std::string>();
    command.replace(command.rfind(file), file.size(), one["file"]);
    one["command"] = command;
    all.push_back(one);
  }
}

// The entries of the build, for the C++ sources, and one entry for every kernel.
json database() {
  const auto root = lab::here().root, ours = lab::here().build / "compile_commands.json";
  const auto built = fs::exists(ours) ? json::parse(lab::read_whole(ours), nullptr, false) : json::array();
  json all = json::array();
  if (built.is_array())
    for (const auto& entry : built) add_sources(all, entry);
  const auto command = clang_command();
  for (const auto& e : labs()) {
    const auto lab = root / "labs" / e.name;
    for (const auto* tree : {"labs", "solutions"}) add_kernels(all, command, root / tree / e.name, lab);
  }
  return all;
}

// Each file of common/cli/vscode/, unless the student has one of that name.
void write_vscode() {
  const auto root = lab::here().root;
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(lab::here().home / "common/cli/vscode"))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    const auto name = file.filename().string();
    if (fs::exists(root / ".vscode" / name)) {
      fmt::print(".vscode/{} exists already and stays as it is\n", name);
      continue;
    }
    write_atomically(root / ".vscode" / name, lab::read_whole(file));
    fmt::print(".vscode/{} is written\n", name);
  }
  fmt::print("Terminal, Run Task lists tasks that check, watch and profile the kernel in the active editor\n");
}

}  // namespace

static void add_editor(command_line app, int&) {
  auto command =
      app.add_subcommand("editor", "Write compile_commands.json, so that clangd and VS Code understand the kernels");
  auto vscode = std::make_shared<bool>(false);
  command.add_flag("--vscode", *vscode,
                   "also write tasks, settings and recommended extensions to .vscode, if they do not exist");
  command.footer("Example: ./lab editor --vscode\nMore about editors: common/cli/vscode/README.md");
  command.callback([vscode] {
    const auto all = database();
    write_atomically(lab::here().root / "compile_commands.json", all.dump(1) + "\n");
    fmt::print("compile_commands.json has {} entries; clangd finds it by itself\n", all.size());
    if (*vscode) write_vscode();
  });
}

namespace {

const command_registration registered_editor{audience::learn, add_editor};

}  // namespace

}  // namespace lab::cli
