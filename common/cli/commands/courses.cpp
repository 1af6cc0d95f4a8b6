#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/course_packages.hpp"

namespace lab::cli {

namespace {

void add_courses(command_line app, int&) {
  auto command = app.add_subcommand("courses", "List the courses that are installed as Python packages");
  command.footer("Example: ./lab courses, then: ./lab start mycourse --course NAME");
  command.callback([] {
    const auto all = course_packages();
    for (const auto& one : all) fmt::print("{}  {}\n", one.name, one.folder.string());
    if (all.empty()) fmt::print("No course is installed. A teacher makes one with: lab publish NAME\n");
  });
}

const command_registration registered_courses{audience::learn, add_courses};

}  // namespace

}  // namespace lab::cli
