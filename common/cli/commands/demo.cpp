#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands/modelled_times.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/process.hpp"

namespace lab::cli {

namespace {

void demonstrate(int& code) {
  common_flags flags;
  flags.which = "all";
  flags.solution = true;
  const auto jobs = chosen_jobs(flags);
  judge::check_options checking;
  judge::bench_options timing;
  for (judge::run_options* options :
       {static_cast<judge::run_options*>(&checking), static_cast<judge::run_options*>(&timing)}) {
    fill(*options, flags);
    options->timeout_s = 60;
  }
  const terminal out{false, false};
  out.print(out.bold("Checking every solution"));
  check_all(jobs, checking, out, code);
  out.print("\n" + out.bold("Comparing every solution"));
  bench_all(jobs, timing, gpu_to_model(flags, timing.backend), out, code);
  out.print("\n" + out.bold("Writing the report"));
  save_report_profiles(out);
  auto report = report_command();
  report.emplace_back("--numpy");
  const auto written = run_program({.arguments = report, .environment = lab::clean_environment({})}, 600);
  out.print(written.output);
  if (!written.well()) code = failed;
  if (code != passed) out.print(out.red("A check or a comparison above failed."));
  out.print("Next: open report/out/index.html, then start the course with ./lab next");
}

void add_demo(command_line app, int& code) {
  auto command = app.add_subcommand("demo", "Check and compare all solutions, then write the report");
  command.footer("Example: ./lab demo");
  command.callback([&code] { demonstrate(code); });
}

const command_registration registered_demo{audience::learn, add_demo};

}  // namespace

}  // namespace lab::cli
