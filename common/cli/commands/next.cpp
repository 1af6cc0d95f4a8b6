#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress/course.hpp"

namespace lab::cli {

namespace {

void add_next(CLI::App& app, int&) {
  auto* command = app.add_subcommand("next", "Show your next lab and its lesson");
  command->footer("Example: ./lab next");
  command->callback([] {
    if (const auto* lab = current_lab())
      return fmt::print("{}\n{}\n", first_steps(*lab), progress_bar(terminal{false, false}));
    fmt::print("You have passed every lab. Next: ./lab report shows how fast your kernels are.\n");
  });
}

const command_registration registered{audience::learn, add_next};

}  // namespace

}  // namespace lab::cli
