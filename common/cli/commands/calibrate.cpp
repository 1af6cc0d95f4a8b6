#include <fmt/format.h>

#include "build/toolchain.hpp"
#include "cli/command.hpp"
#include "lab/lab_definition.hpp"
#include "model/calibration.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"

namespace lab::cli {

namespace {

constexpr double longest_s = 600;

std::string output_of(std::vector<std::string> command, const std::string& what) {
  const auto end = run_program(
      {.arguments = std::move(command), .environment = clean_environment({"HOME", "CUDA_VISIBLE_DEVICES", "LAB_CXX"})},
      longest_s);
  if (!end.well()) throw std::runtime_error(fmt::format("{} failed:\n{}", what, end.output));
  return end.output;
}

// The simulator's numbers say nothing about a GPU; they show that the microbenchmarks run.
std::string measured(bool on_simulator) {
  const temporary_folder folder{"calibrate"};
  const auto source = (here().home / "common/model/microbenchmarks.cu").string();
  const auto program = (folder.path() / "microbenchmarks").string();
  if (on_simulator)
    output_of({judge::labcc().string(), "-std=c++20", "-O2", source, "-o", program}, "labcc");
  else
    output_of({judge::nvcc().string(), "-std=c++20", "-O3", "-arch=native", source, "-o", program}, "nvcc");
  std::vector<std::string> run{program};
  if (on_simulator) run.emplace_back("--quick");
  return output_of(run, "the microbenchmarks");
}

}  // namespace

static void add_calibrate(command_line app, int&) {
  auto command = app.add_subcommand("calibrate", "Measure the time model's parameters on this machine's GPU");
  auto file = std::make_shared<std::string>();
  auto on_simulator = std::make_shared<bool>(false);
  command.add_option("--raw", *file, "also write the measurements to this JSON file");
  command.add_flag("--smoke-test", *on_simulator, "run on the simulator, whose numbers say nothing about a GPU");
  command.footer("Example: ./lab calibrate --raw parameters.json");
  command.callback([file, on_simulator] {
    if (!*on_simulator && judge::nvcc().empty())
      throw usage_error("lab calibrate needs nvcc and a GPU; --smoke-test runs it on the simulator");
    const auto values = measured(*on_simulator);
    if (!file->empty()) write_atomically(*file, values);
    fmt::print("{}", judge::table_of(judge::calibrated(values, judge::find_gpu("h200"))));
  });
}

namespace {

const command_registration registered_calibrate{audience::teach, add_calibrate};

}  // namespace

}  // namespace lab::cli
