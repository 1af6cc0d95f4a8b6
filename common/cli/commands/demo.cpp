#include <fmt/format.h>

#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/process.hpp"

namespace lab::cli {

namespace {

void demonstrate(int& code) {
  flags f;
  f.which = "all";
  f.solution = true;
  const auto jobs = chosen_jobs(f);
  judge::check_options checking;
  judge::bench_options timing;
  for (judge::run_options* o :
       {static_cast<judge::run_options*>(&checking), static_cast<judge::run_options*>(&timing)}) {
    fill(*o, f);
    o->timeout_s = 60;
  }
  const terminal t{false, false};
  t.print(t.bold("Checking every solution"));
  check_all(jobs, checking, t, code);
  t.print("\n" + t.bold("Timing every solution"));
  bench_all(jobs, timing, t, code);
  t.print("\n" + t.bold("Writing the report"));
  keep_profiles(t);
  auto report = report_command();
  report.emplace_back("--numpy");
  const auto written = run_program({.arguments = report, .environment = lab::clean_environment({})}, 600);
  t.print(written.output);
  if (!written.well()) code = failed;
  if (code != passed) t.print(t.red("Something above failed."));
  t.print("Next: open report/out/index.html, then begin with ./lab next");
}

void add_demo(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("demo", "Check and time all solutions and write the report");
  command->footer("Example: ./lab demo");
  command->callback([&code] { demonstrate(code); });
}

const command_registration registered{audience::learn, add_demo};

}  // namespace

}  // namespace lab::cli
