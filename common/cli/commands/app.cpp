#include <fmt/format.h>

#include "cli/commands/call.hpp"
#include "cli/lab_choice.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

// A lab's folder may contain app/app.py, a program that uses the lab's kernels. This command starts it as
//   /usr/bin/python3 labs/NN_name/app/app.py [OPTIONS OF THE APP] -- COMMAND ...
// COMMAND is a `lab call`. The app starts it and writes one request to it for each call of a kernel.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;

fs::path program_of(const entry& lab) { return lab::here().root / "labs" / lab.name / "app" / "app.py"; }

void list_apps() {
  for (const auto& lab : labs())
    if (exists(program_of(lab))) fmt::print("{}: ./lab app {}\n", lab.name, lab.name.substr(0, 2));
}

// The command that the app starts. Wrong options throw here, before the app starts.
std::vector<std::string> call_command(const entry& lab, const call_flags& flags) {
  const auto backend = chosen_backend(flags.common);
  chosen_jobs(flags.common);
  std::vector<std::string> words{(lab::here().build / "bin" / "lab").string(), "call", lab.name};
  words.insert(words.end(), {"--backend", std::string{word(backend)}});
  words.insert(words.end(), {"--launcher", called_launcher(lab, flags).name});
  words.insert(words.end(), {"--device", std::to_string(flags.common.device)});
  if (flags.common.solution) words.emplace_back("--solution");
  if (!flags.common.kernel.empty()) words.insert(words.end(), {"--kernel", fs::absolute(flags.common.kernel).string()});
  return words;
}

[[noreturn]] void start(const call_flags& flags, const std::vector<std::string>& options) {
  const auto& lab = chosen_lab(flags.common.which);
  const auto program = program_of(lab);
  if (!exists(program)) throw usage_error(lab.name + " has no app; ./lab app lists the labs that have one");
  std::vector<std::string> words{lab::python(), program.string()};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  for (auto& word : call_command(lab, flags)) words.push_back(std::move(word));
  become(words);
}

}  // namespace

static void add_app(command_line app, int&) {
  auto command = app.add_subcommand("app", "Start a lab's app, which uses your kernels; without a lab, list the apps");
  auto flags = std::make_shared<call_flags>();
  command.add_option("lab", flags->common.which, lab_argument).type_name("NN");
  add_call_options(command, *flags);
  command.allow_extras();
  command.footer(
      "Example: ./lab app NN --solution\n"
      "The app receives other options after NN; ./lab app NN -- --help lists them. Ctrl-C ends the app.");
  command.callback([command, flags] {
    if (!flags->common.which.empty()) start(*flags, command.remaining());
    if (const auto rest = command.remaining(); !rest.empty())
      throw usage_error("app needs the lab before other options, for example: ./lab app NN --port 0");
    list_apps();
  });
}

namespace {

const command_registration registered_app{audience::learn, add_app};

}  // namespace

}  // namespace lab::cli
