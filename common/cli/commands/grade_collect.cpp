#include "cli/command.hpp"
#include "grade/course/course_grading.hpp"

namespace lab::cli {

namespace {

void add_grade_collect(command_line app, int&) {
  auto command = app.add_subcommand("grade-collect", "Write the reports of a plan; started by Slurm").group("");
  auto plan = std::make_shared<std::string>();
  command.add_option("--plan", *plan).required();
  command.callback([plan] { grade::collect_class(*plan); });
}

const command_registration registered_grade_collect{audience::hidden, add_grade_collect};

}  // namespace

}  // namespace lab::cli
