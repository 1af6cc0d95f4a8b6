#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress/course.hpp"

namespace lab::cli {

namespace {

void add_next(CLI::App& app, int&) {
  auto* command = app.add_subcommand("next", "Say which lab comes next, and where its lesson is");
  command->footer("Example: ./lab next");
  command->callback([] {
    if (const auto* e = current_lab())
      return fmt::print("{}\n{}\n", first_steps(*e), progress_bar(terminal{false, false}));
    fmt::print("You have passed every lab. ./lab report shows how fast your kernels are.\n");
  });
}

const command_registration registered{audience::learn, add_next};

}  // namespace

}  // namespace lab::cli
