#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/jobs.hpp"
#include "cli/progress/progress.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"

// The commands that hand over to another program, and the demonstration, which calls the others.
namespace lab::cli {

namespace {

std::vector<std::string> report_command() {
  const auto report = lab::here().root / "report";
  return {
      "/usr/bin/python3",       (report / "report.py").string(), "--recorded", (report / "results").string(), "--out",
      (report / "out").string()};
}

void add_compiler(CLI::App& command, const std::shared_ptr<std::string>& backend) {
  command.add_option("--backend", *backend, "compile for the CPU simulator or, with nvcc, for a GPU")
      ->check(CLI::IsMember({"sim", "cuda"}))
      ->capture_default_str();
  command.prefix_command();
  command.footer("Example: ./lab cc saxpy.cu -o saxpy && ./saxpy");
}

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

}  // namespace

void add_report(CLI::App& app, int&) {
  auto* command =
      app.add_subcommand("report", "Draw the plots and the page report/out/index.html from the results so far");
  auto figures = std::make_shared<std::string>();
  auto numpy = std::make_shared<bool>(false);
  command->add_option("--figures", *figures, "also write figures and tables for a written report here")
      ->type_name("DIR");
  command->add_flag("--numpy", *numpy, "measure NumPy on this machine first");
  command->footer("Example: ./lab report --figures my_report");
  command->callback([figures, numpy] {
    keep_profiles(terminal{false, false});
    auto arguments = report_command();
    if (!figures->empty()) arguments.insert(arguments.end(), {"--figures", *figures});
    if (*numpy) arguments.emplace_back("--numpy");
    become(arguments);
  });
}

void add_cc(CLI::App& app, int&) {
  auto* command = app.add_subcommand("cc", "Compile any CUDA program for the simulator, as nvcc would be called");
  auto backend = std::make_shared<std::string>("sim");
  add_compiler(*command, backend);
  command->callback([command, backend] {
    auto arguments = command->remaining();
    if (arguments.empty()) throw usage_error("cc: name a .cu file, as in ./lab cc saxpy.cu -o saxpy");
    const auto compiler = (lab::here().build / "bin" / "labcc").string();
    arguments.insert(arguments.begin(), *backend == "cuda" ? "nvcc" : compiler);
    become(arguments);
  });
}

void add_demo(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("demo", "Check and time all solutions and write the report");
  command->footer("Example: ./lab demo");
  command->callback([&code] { demonstrate(code); });
}

void add_test(CLI::App& app, int&) {
  auto* command = app.add_subcommand("test", "Run the whole test suite");
  command->footer("Example: ./lab test");
  command->callback([] {
    become({"ctest", "--test-dir", lab::here().build.string(), "-LE", "grade", "--no-tests=error",
            "--output-on-failure", "-j", std::to_string(cores())});
  });
}

}  // namespace lab::cli
