#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress/lab_sequence.hpp"

namespace lab::cli {

namespace {

void add_next(command_line app, int&) {
  auto command = app.add_subcommand("next", "Show your next lab and its lesson");
  command.footer("Example: ./lab next");
  command.callback([] {
    const terminal out{false, false};
    const auto next = current_lab();
    if (!next.skipped.empty()) out.print(why_skipped(next));
    if (!next.lab) return out.print(after_the_last_lab(next));
    out.print(first_steps(*next.lab));
    out.print(progress_bar(out));
  });
}

const command_registration registered_next{audience::learn, add_next};

}  // namespace

}  // namespace lab::cli
