#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/common_flags.hpp"
#include "cli/lab_choice.hpp"
#include "cli/watch/watch_loop.hpp"

namespace lab::cli {

static void add_watch(command_line app, int& code) {
  auto command = app.add_subcommand("watch", "Check a lab on every save; press keys for hint, next, profile ...");
  auto flags = std::make_shared<common_flags>();
  command.add_option("lab", flags->which, lab_argument + "; default: your next lab").type_name("NN");
  command
      .add_option("--backend", flags->backend,
                  "run on a GPU (cuda) or on the CPU simulator (sim); default: cuda where possible")
      .one_of({"sim", "cuda"});
  command.add_option("--timeout", flags->timeout, "time limit of one case, in seconds").positive();
  limit_whole_check(command, *flags);
  command.add_option("--device", flags->device, "number of the GPU").not_negative().capture_default_str();
  command.add_flag("--no-color", flags->no_color, "print no colours; the environment variable NO_COLOR does the same");
  command.footer(
      "Example: ./lab watch 03\nFrom a pipe, the first letter of each line is a key; the end of the pipe ends the "
      "command.\n"
      "LAB_WATCH_POLL=1 polls the file five times a second instead of using inotify.");
  command.callback([flags, &code] {
    if (flags->which == "all") throw usage_error("watch works on one lab; name one lab instead of all");
    code = watch(*flags);
  });
}

namespace {

const command_registration registered_watch{audience::learn, add_watch};

}  // namespace

}  // namespace lab::cli
