#include <fmt/format.h>

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

void add_cc(command_line app, int&) {
  auto command = app.add_subcommand("cc", "Compile any CUDA program for the simulator; the options are those of nvcc");
  auto backend = std::make_shared<std::string>("sim");
  add_compiler(command, backend);
  command.callback([command, backend] {
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
