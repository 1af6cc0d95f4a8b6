#include "cli/command.hpp"
#include "grade/course/executor.hpp"

namespace lab::cli {

namespace {

void add_grade_worker(command_line app, int&) {
  struct worker_flags {
    std::string plan, record;
    std::size_t job = 0;
    unsigned supervised = 0;
  };
  auto command = app.add_subcommand("grade-worker", "Grade one job of a plan; started by lab grade").group("");
  auto flags = std::make_shared<worker_flags>();
  command.add_option("--plan", flags->plan).required();
  command.add_option("--record", flags->record).required();
  command.add_option("--job", flags->job).required();
  command.add_option("--supervised", flags->supervised, "The cores that the job may keep busy");
  command.callback([flags] {
    if (flags->supervised > 0)
      grade::run_supervised_worker(flags->plan, flags->job, flags->record, flags->supervised);
    else
      grade::run_worker(flags->plan, flags->job, flags->record);
  });
}

const command_registration registered_grade_worker{audience::hidden, add_grade_worker};

}  // namespace

}  // namespace lab::cli
