#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/installation.hpp"

namespace lab::cli {

namespace {

void add_compiler(command_line command, const std::shared_ptr<std::string>& backend) {
  command.add_option("--backend", *backend, "compile for the CPU simulator (sim) or, with nvcc, for a GPU (cuda)")
      .one_of({"sim", "cuda"})
      .capture_default_str();
  command.prefix_command();
  command.footer("Example: ./lab cc saxpy.cu -o saxpy && ./saxpy");
}

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text) {
  if (!(std::ofstream{file} << text)) throw std::runtime_error("cannot write " + file.string());
}

void link_to(const fs::path& target, const fs::path& link) {
  fs::remove(link);
  fs::create_symlink(target, link);
}

// The libraries that programs for nvcc name, as scripts for the linker: all their functions are in one library here,
// which needs the C++ library, also where gcc links.
void name_libraries(const fs::path& folder) {
  link_to(lab::here().build / "lib" / "liblab-sim.so", folder / "liblab-sim.so");
  const std::string script = "INPUT(" + (folder / "liblab-sim.so").string() + " -lstdc++)\n";
  for (const char* name : {"cudart", "cudart_static", "cudadevrt", "culibos", "cuda", "nvToolsExt"})
    write_file(folder / ("lib" + std::string{name} + ".so"), script);
}

// A folder in the form of NVIDIA's toolkit, so that makefiles find the simulator's compiler, headers and library.
void make_toolkit(const fs::path& folder) {
  const auto labcc = (lab::here().build / "bin" / "labcc").string();
  const fs::path whole = fs::absolute(folder), nvcc = whole / "bin" / "nvcc", environment = whole / "env.sh";
  if (fs::exists(whole) && !fs::is_empty(whole) && !fs::exists(environment))
    throw usage_error(folder.string() + " contains other files; name a new folder");
  fs::create_directories(nvcc.parent_path());
  fs::create_directories(whole / "lib64");
  fs::create_directories(whole / "nvvm" / "libdevice");  // by which CMake knows a toolkit
  write_file(nvcc, "#!/bin/sh\n# $LABCC_FLAGS: options for every compilation, such as --trace\nexec '" + labcc +
                       "' $LABCC_FLAGS \"$@\"\n");
  fs::permissions(nvcc, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
  link_to(lab::here().home / "common" / "sim" / "include", whole / "include");
  name_libraries(whole / "lib64");
  const auto set = [](const std::string& name, const fs::path& value) {
    return "export " + name + "='" + value.string() + "'${" + name + ":+:$" + name + "}\n";
  };
  write_file(environment, set("PATH", whole / "bin") + set("LIBRARY_PATH", whole / "lib64") +
                              set("LD_LIBRARY_PATH", whole / "lib64") + set("CPLUS_INCLUDE_PATH", whole / "include") +
                              "export CUDA_PATH='" + whole.string() + "' CUDA_HOME='" + whole.string() + "' CUDACXX='" +
                              nvcc.string() + "'\n");
  fmt::print("{} contains nvcc, which compiles for the simulator. Run `. {}`, then make or cmake.\n", folder.string(),
             (folder / "env.sh").string());
}

void add_cc(command_line app, int&) {
  auto command = app.add_subcommand("cc", "Compile any CUDA program for the simulator; the options are those of nvcc");
  auto backend = std::make_shared<std::string>("sim");
  auto toolkit = std::make_shared<std::string>();
  add_compiler(command, backend);
  command.add_option("--as-nvcc", *toolkit,
                     "instead make a folder with an nvcc for make and cmake, and env.sh to use it");
  command.callback([command, backend, toolkit] {
    if (!toolkit->empty()) return make_toolkit(*toolkit);
    auto arguments = command.remaining();
    if (arguments.empty()) throw usage_error("cc needs a .cu file, for example: ./lab cc saxpy.cu -o saxpy");
    const auto compiler = (lab::here().build / "bin" / "labcc").string();
    arguments.insert(arguments.begin(), *backend == "cuda" ? "nvcc" : compiler);
    become(arguments);
  });
}

const command_registration registered_cc{audience::any_program, add_cc};

}  // namespace

}  // namespace lab::cli
