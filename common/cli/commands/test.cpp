#include <fmt/format.h>

#include "cli/command.hpp"
#include "support/installation.hpp"
#include "support/parallel.hpp"

namespace lab::cli {

namespace {

void add_test(CLI::App& app, int&) {
  auto* command = app.add_subcommand("test", "Run the whole test suite");
  command->footer("Example: ./lab test");
  command->callback([] {
    become({"ctest", "--test-dir", lab::here().build.string(), "-LE", "grade", "--no-tests=error",
            "--output-on-failure", "-j", std::to_string(cores())});
  });
}
const command_registration registered{audience::write_labs, add_test};

}  // namespace

}  // namespace lab::cli
