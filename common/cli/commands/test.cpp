#include <fmt/format.h>

#include "build/course.hpp"
#include "cli/command.hpp"
#include "support/installation.hpp"

namespace lab::cli {

namespace {

void add_test(command_line app, int&) {
  auto command = app.add_subcommand("test", "Run all tests");
  auto quick = std::make_shared<bool>(false);
  command.add_flag("--quick", *quick, "leave out tests with the label slow, such as long end-to-end tests");
  auto minutes = std::make_shared<double>(-1);
  command.add_option("--minutes", *minutes, "skip the tests that have not begun after so many minutes").not_negative();
  command.prefix_command();
  command.footer(
      "ctest receives further arguments: -R REGEX selects tests by name, -L ROOM by the folder in tests/.\n"
      "A list of all skipped tests and their reasons ends the output.\n"
      "Example: ./lab test --quick -L judge");
  command.callback([command, quick, minutes] {
    judge::require_checkout("test");
    const auto& here = lab::here();
    std::vector<std::string> arguments{"/usr/bin/python3", (here.root / "tests" / "run_suite.py").string(),
                                       here.build.string()};
    if (*quick) arguments.emplace_back("--quick");
    if (*minutes >= 0) arguments.insert(arguments.end(), {"--minutes", fmt::format("{}", *minutes)});
    const auto more = command.remaining();
    arguments.insert(arguments.end(), more.begin(), more.end());
    become(arguments);
  });
}
const command_registration registered_test{audience::write_labs, add_test};

}  // namespace

}  // namespace lab::cli
