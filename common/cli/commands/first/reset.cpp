#include <fmt/format.h>

#include "build/course.hpp"
#include "build/kernel_variant.hpp"
#include "cli/command.hpp"
#include "cli/lab_choice.hpp"
#include "cli/progress/progress.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

// Saves the student's version under an unused name, then restores the starter.
void reset(const std::string& which) {
  const auto& lab = chosen_lab(which);
  judge::require_course();
  const auto root = lab::here().root;
  const auto kernel = root / "labs" / lab.name / "kernel.cu";
  const auto pristine = lab::read_whole(judge::untouched_starter_of(lab).source);
  if (fs::exists(kernel)) {
    const auto own = lab::read_whole(kernel);
    if (own == pristine) return fmt::print("labs/{}/kernel.cu is already the starter\n", lab.name);
    const auto folder = root / ".lab" / "kept" / lab.name;
    auto kept = folder / fmt::format("kernel-{}.cu", now());
    for (int i = 2; fs::exists(kept); ++i) kept = folder / fmt::format("kernel-{}-{}.cu", now(), i);
    write_atomically(kept, own);
    fmt::print("Your version is saved as {}\n", fs::relative(kept, root).string());
  }
  write_atomically(kernel, pristine);
  fmt::print("labs/{}/kernel.cu is the starter again\n", lab.name);
}

void add_reset(command_line app, int&) {
  auto command = app.add_subcommand("reset", "Restore a lab's starter; your version is saved");
  auto which = std::make_shared<std::string>();
  command.add_option("lab", *which, lab_argument).required().type_name("NN");
  command.footer("Example: ./lab reset 03");
  command.callback([which] { reset(*which); });
}

const command_registration registered_reset{audience::learn, add_reset};

}  // namespace

}  // namespace lab::cli
