#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/lab_choice.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

// The Python package kernel_lab writes the notebooks; see python/README.md.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;

fs::path package() { return lab::here().home / "python" / "kernel_lab"; }

[[noreturn]] void write_notebooks(const std::string& which, const std::string& folder) {
  if (!exists(package()))
    throw machine_error(
        fmt::format("{} is missing; python3 -m kernel_lab does the same, if the package kernel_lab is "
                    "installed",
                    package().string()));
  const auto lab = which == "all" ? which : chosen_lab(which).name;
  const auto to = folder.empty() ? lab::here().root / "notebooks" : fs::absolute(folder);
  become(
      {lab::python(), "-B", package().string(), lab, "--output", to.string(), "--course", lab::here().root.string()});
}

void add_notebook(command_line app, int&) {
  auto command = app.add_subcommand("notebook", "Write a lab's lesson as a Jupyter notebook, in which you do the lab");
  auto which = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  command.add_option("lab", *which, lab_argument + ", or all").required().type_name("NN|all");
  command.add_option("-o,--output", *folder, "folder for the notebooks (default: notebooks/)").type_name("DIR");
  command.footer("Example: ./lab notebook all\nA notebook that exists stays as it is, because it holds your work.");
  command.callback([which, folder] { write_notebooks(*which, *folder); });
}

const command_registration registered_notebook{audience::learn, add_notebook};

}  // namespace

}  // namespace lab::cli
