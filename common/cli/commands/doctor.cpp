#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <nlohmann/json.hpp>

#include "build/availability.hpp"
#include "cli/command.hpp"
#include "cli/output/terminal.hpp"
#include "sandbox/sandbox.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"

namespace lab::cli {

namespace {

struct system_check {
  std::string what, detail, remedy;
  bool good;
};

// The line of a program's output that holds its version; empty if the program does not run.
std::string version(const std::vector<std::string>& arguments, std::size_t line = 0) {
  lab::spawn_request request{.arguments = arguments, .environment = lab::clean_environment({})};
  try {
    const auto done = run_program(request, 20);
    if (!done.well()) return {};
    std::string text = done.output;
    for (; line > 0 && text.find('\n') != std::string::npos; --line) text.erase(0, text.find('\n') + 1);
    return text.substr(0, text.find('\n'));
  } catch (const std::exception&) {
    return {};
  }
}

system_check program(const std::string& what, const std::vector<std::string>& arguments, const std::string& remedy) {
  const auto text = version(arguments);
  return {what, text.empty() ? "not found" : text, text.empty() ? remedy : "", !text.empty()};
}

system_check backend(backend_kind kind, const std::string& remedy) {
  const auto can = judge::probe(kind);
  return {fmt::format("back end {}", word(kind)), can.usable ? "usable" : can.reason, can.usable ? "" : remedy,
          can.usable};
}

system_check machine() {
  struct sysinfo info {};
  sysinfo(&info);
  const double gib = double(info.totalram) * info.mem_unit / (1 << 30);
  return {"machine", fmt::format("{} cores, {:.1f} GiB of memory", cores(), gib), "", true};
}

// One line for each sandbox level, the strongest first. `lab grade` uses the first level that holds.
std::vector<system_check> sandbox_levels() {
  std::vector<system_check> all;
  if (!judge::probe(backend_kind::sim).usable) return all;
  for (const auto& test : sandbox::probe_levels(backend_kind::sim)) {
    const auto name = fmt::format("sandbox {}", static_cast<int>(test.probed));
    const bool holds = test.holes.empty();
    const auto first = holds ? "holds" : test.holes.front().substr(0, test.holes.front().find('\n'));
    all.push_back({name, fmt::format("{}: {}", sandbox::describe(test.probed), first),
                   holds ? "" : sandbox::advice_for(test), holds});
  }
  return all;
}

std::vector<system_check> examine() {
  return {machine(),
          backend(backend_kind::sim, "run ./lab list, which builds it"),
          backend(backend_kind::cuda, "optional: an NVIDIA GPU with its driver and CUDA toolkit 12 or 13"),
          program("C++ compiler", {"g++", "--version"}, "apt-get install g++"),
          program("GPU", {"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"}, "optional"),
          program("CUDA compiler", {"nvcc", "--version"}, "optional: the CUDA toolkit"),
          program("plots",
                  {lab::python(), "-c",
                   "import matplotlib, jinja2, jsonschema; print('matplotlib', matplotlib.__version__)"},
                  "apt-get install python3-matplotlib python3-jinja2 python3-jsonschema")};
}

}  // namespace

static void add_doctor(command_line app, int& code) {
  auto command = app.add_subcommand("doctor", "Show what this machine can run and what is missing");
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "print one JSON document and nothing else");
  command.footer("Example: ./lab doctor");
  command.callback([json, &code] {
    auto checks = examine();
    for (auto& level : sandbox_levels()) checks.push_back(std::move(level));
    const bool can_run = judge::probe(backend_kind::sim).usable || judge::probe(backend_kind::cuda).usable;
    if (!can_run) code = lacking;
    nlohmann::json all = nlohmann::json::array();
    const terminal out{*json, false};
    for (const auto& check : checks) {
      all.push_back({{"what", check.what}, {"good", check.good}, {"detail", check.detail}, {"cure", check.remedy}});
      out.print(fmt::format("{} {:<14} {}{}", check.good ? out.green("yes") : out.yellow("no "), check.what,
                            check.detail, check.remedy.empty() ? "" : "; " + check.remedy));
    }
    if (*json) fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"usable", can_run}, {"findings", all}}.dump(1));
  });
}

namespace {

const command_registration registered_doctor{audience::teach, add_doctor};

}  // namespace

}  // namespace lab::cli
