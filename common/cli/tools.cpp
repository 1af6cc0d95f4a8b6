#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/store.hpp"
#include "cli/work.hpp"
#include "judge/process.hpp"

// The commands that hand over to another program, and the demonstration, which calls the others.
namespace lab::cli {

namespace {

std::vector<std::string> report_command() {
  const auto report = judge::here().root / "report";
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
  judge::bench_options o;
  fill(o, f);
  o.timeout_s = 60;
  const terminal t{false, false};
  t.print(t.bold("Checking every solution"));
  check_all(jobs, o, t, code);
  t.print("\n" + t.bold("Timing every solution"));
  bench_all(jobs, o, t, code);
  t.print("\n" + t.bold("Writing the report"));
  keep_profiles(t);
  auto report = report_command();
  report.emplace_back("--numpy");
  const auto written = judge::run({.arguments = report, .environment = judge::clean_environment({})}, 600);
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
    const auto compiler = (judge::here().build / "bin" / "labcc").string();
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
  auto quick = std::make_shared<bool>(false);
  command->add_flag("--quick", *quick,
                    "leave out the tests with the label slow, such as end-to-end tests and clang-tidy");
  command->prefix_command();
  command->footer(
      "Further arguments go to ctest: -R REGEX chooses tests by name, -L ROOM by the folder in tests/.\n"
      "The end lists every skipped test with its reason.\n"
      "Example: ./lab test --quick -L judge");
  command->callback([command, quick] {
    const auto& here = judge::here();
    std::vector<std::string> arguments{"/usr/bin/python3", (here.root / "tests" / "run_suite.py").string(),
                                       here.build.string()};
    if (*quick) arguments.emplace_back("--quick");
    const auto more = command->remaining();
    arguments.insert(arguments.end(), more.begin(), more.end());
    become(arguments);
  });
}

}  // namespace lab::cli
