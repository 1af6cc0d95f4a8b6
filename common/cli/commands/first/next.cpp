#include <fmt/format.h>

#include <string_view>

#include "build/course.hpp"
#include "cli/command.hpp"
#include "cli/progress/lab_sequence.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

extern const std::string_view next_commands;  // next_commands.txt

void show_next_lab() {
  judge::require_course();
  const terminal out{false, false};
  const auto next = current_lab();
  if (!next.skipped.empty()) out.print(why_skipped(next));
  if (!next.lab) return out.print(after_the_last_lab(next));
  out.print(first_steps(*next.lab));
  out.print(progress_bar(out));
}

void show_what_to_do_next() {
  show_next_lab();
  const terminal out{false, false};
  out.print(std::string{next_commands});
}

namespace {

void add_next(command_line app, int&) {
  auto command = app.add_subcommand("next", "Show your next lab and its lesson");
  command.footer("Example: ./lab next");
  command.callback(show_next_lab);
}

const command_registration registered_next{audience::start, add_next};

}  // namespace

}  // namespace lab::cli
