#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <nlohmann/json.hpp>

#include "build/availability.hpp"
#include "cli/command.hpp"
#include "cli/output/terminal.hpp"
#include "sandbox/sandbox.hpp"
#include "support/process.hpp"

namespace lab::cli {

namespace {

struct call_result {
  std::string what, detail, cure;
  bool good;
};

// The first line that a program says of its version; nothing if it cannot be run.
std::string version(const std::vector<std::string>& arguments, std::size_t line = 0) {
  lab::spawn_request r{.arguments = arguments, .environment = lab::clean_environment({})};
  try {
    const auto done = run_program(r, 20);
    if (!done.well()) return {};
    std::string text = done.output;
    for (; line > 0 && text.find('\n') != std::string::npos; --line) text.erase(0, text.find('\n') + 1);
    return text.substr(0, text.find('\n'));
  } catch (const std::exception&) {
    return {};
  }
}

call_result program(const std::string& what, const std::vector<std::string>& arguments, const std::string& cure) {
  const auto text = version(arguments);
  return {what, text.empty() ? "not found" : text, text.empty() ? cure : "", !text.empty()};
}

call_result backend(backend_kind b, const std::string& cure) {
  const auto can = judge::probe(b);
  return {fmt::format("back end {}", word(b)), can.usable ? "usable" : can.reason, can.usable ? "" : cure, can.usable};
}

call_result machine() {
  struct sysinfo info {};
  sysinfo(&info);
  const double gib = double(info.totalram) * info.mem_unit / (1 << 30);
  return {"machine", fmt::format("{} cores, {:.1f} GiB of memory", cores(), gib), "", true};
}

// One line for each level that was tried, from the strongest down; the first that holds is the one in use.
std::vector<call_result> sandbox() {
  std::vector<call_result> all;
  if (!judge::probe(backend_kind::sim).usable) return all;
  for (const auto& t : grade::try_levels(backend_kind::sim)) {
    const auto name = fmt::format("sandbox {}", static_cast<int>(t.at));
    const bool holds = t.holes.empty();
    const auto first = holds ? "holds" : t.holes.front().substr(0, t.holes.front().find('\n'));
    all.push_back({name, fmt::format("{}: {}", grade::describe(t.at), first), holds ? "" : grade::cure(t), holds});
  }
  return all;
}

std::vector<call_result> examine() {
  return {machine(),
          backend(backend_kind::sim, "./lab list builds it"),
          backend(backend_kind::cuda, "optional: an NVIDIA GPU with its driver, and the CUDA toolkit 12 or 13"),
          program("C++ compiler", {"g++", "--version"}, "apt-get install g++"),
          program("GPU", {"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"}, "optional"),
          program("CUDA compiler", {"nvcc", "--version"}, "optional: the CUDA toolkit"),
          program("plots",
                  {"/usr/bin/python3", "-c", "import matplotlib, jinja2; print('matplotlib', matplotlib.__version__)"},
                  "apt-get install python3-matplotlib python3-jinja2")};
}

}  // namespace

static void add_doctor(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("doctor", "Show what this machine can run, and what it lacks");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->footer("Example: ./lab doctor");
  command->callback([json, &code] {
    auto findings = examine();
    for (auto& f : sandbox()) findings.push_back(std::move(f));
    const bool can_run = judge::probe(backend_kind::sim).usable || judge::probe(backend_kind::cuda).usable;
    if (!can_run) code = lacking;
    nlohmann::json all = nlohmann::json::array();
    const terminal t{*json, false};
    for (const auto& f : findings) {
      all.push_back({{"what", f.what}, {"good", f.good}, {"detail", f.detail}, {"cure", f.cure}});
      t.print(fmt::format("{} {:<14} {}{}", f.good ? t.green("yes") : t.yellow("no "), f.what, f.detail,
                          f.cure.empty() ? "" : "; " + f.cure));
    }
    if (*json) fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"usable", can_run}, {"findings", all}}.dump(1));
  });
}

namespace {

const command_registration registered{audience::teach, add_doctor};

}  // namespace

}  // namespace lab::cli
