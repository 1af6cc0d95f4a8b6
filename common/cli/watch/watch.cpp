#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/watch/watch_loop.hpp"

namespace lab::cli {

static void add_watch(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("watch", "Check a lab on every save, and answer keys: hint, next, profile ...");
  auto f = std::make_shared<flags>();
  command->add_option("lab", f->which, "a lab (4, 04, padded); without it the next one")->type_name("NN");
  command
      ->add_option("--backend", f->backend, "where to run: a GPU or the CPU simulator (default: cuda where possible)")
      ->check(CLI::IsMember({"sim", "cuda"}));
  command->add_option("--timeout", f->timeout, "seconds for one case")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--device", f->device, "which GPU")->check(CLI::NonNegativeNumber)->capture_default_str();
  command->add_flag("--no-color", f->no_color, "no colours (also with NO_COLOR in the environment)");
  command->footer(
      "Example: ./lab watch 03\nIn a pipe the first letter of each line is a key, and its end is the end.\n"
      "LAB_WATCH_POLL=1 looks at the file five times a second instead of waiting for the system's notice.");
  command->callback([f, &code] {
    if (f->which == "all") throw usage_error("watch: name one lab");
    code = watch(*f);
  });
}

namespace {

const command_registration registered{audience::learn, add_watch};

}  // namespace

}  // namespace lab::cli
