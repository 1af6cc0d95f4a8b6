#include <fmt/format.h>

#include "cli/commands/call.hpp"
#include "support/installation.hpp"

// A lab's folder may hold app/app.py, a program that uses the lab's kernels. This command starts it as
//   /usr/bin/python3 labs/NN_name/app/app.py [OPTIONS OF THE APP] -- COMMAND ...
// The app starts COMMAND, a `lab call`, and writes a request to it for each call.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;

fs::path program_of(const entry& lab) { return lab::here().root / "labs" / lab.name / "app" / "app.py"; }

void list_apps() {
  for (const auto& lab : labs())
    if (exists(program_of(lab))) fmt::print("{}: ./lab app {}\n", lab.name, lab.name.substr(0, 2));
}

// What the app calls kernels with; wrong usage ends here, before the app starts.
std::vector<std::string> call_command(const entry& lab, const call_flags& f) {
  const auto backend = chosen_backend(f.common);
  chosen_jobs(f.common);
  std::vector<std::string> words{(lab::here().build / "bin" / "lab").string(), "call", lab.name};
  words.insert(words.end(), {"--backend", std::string{word(backend)}});
  words.insert(words.end(), {"--launcher", called_launcher(lab, f).name});
  words.insert(words.end(), {"--device", std::to_string(f.common.device)});
  if (f.common.solution) words.emplace_back("--solution");
  if (!f.common.kernel.empty()) words.insert(words.end(), {"--kernel", fs::absolute(f.common.kernel).string()});
  return words;
}

[[noreturn]] void start(const call_flags& f, const std::vector<std::string>& options) {
  const auto& lab = find(f.common.which);
  const auto program = program_of(lab);
  if (!exists(program)) throw usage_error(lab.name + " has no app; './lab app' lists the labs that have one");
  std::vector<std::string> words{"/usr/bin/python3", program.string()};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  for (auto& word : call_command(lab, f)) words.push_back(std::move(word));
  become(words);
}

}  // namespace

static void add_app(CLI::App& app, int&) {
  auto* command = app.add_subcommand("app", "Start a lab's app, which uses your kernels; alone: list the apps");
  auto f = std::make_shared<call_flags>();
  command->add_option("lab", f->common.which, "a lab (4, 04, padded)")->type_name("NN");
  add_call_options(*command, *f);
  command->allow_extras();
  command->footer(
      "Example: ./lab app NN --solution\n"
      "Other options after NN go to the app; './lab app NN -- --help' shows them. Ctrl-C ends it.");
  command->callback([command, f] {
    if (!f->common.which.empty()) start(*f, command->remaining());
    if (const auto rest = command->remaining(); !rest.empty()) throw usage_error("app: name the lab first");
    list_apps();
  });
}

namespace {

const command_registration registered{audience::learn, add_app};

}  // namespace

}  // namespace lab::cli
