#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "build/own_labs.hpp"
#include "cli/command.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "support/orphan_processes.hpp"
#include "text/atomic_file.hpp"
#include "text/nearest.hpp"
#include "text/wrap.hpp"

namespace lab::cli {

namespace {

struct listed_command {
  audience who;
  command_adder add;
};

std::vector<listed_command>& commands() {
  static std::vector<listed_command> all;
  return all;
}

const char* heading_for(audience who) {
  switch (who) {
    case audience::start:
      return "Start with";
    case audience::learn:
      return "If you are here to learn";
    case audience::teach:
      return "If you teach";
    case audience::write_labs:
      return "If you want to write a lab";
    case audience::any_program:
      return "For any CUDA program";
    case audience::hidden:
      break;
  }
  return "";  // CLI11 does not show commands of a group without a name
}

std::string name_of(const listed_command& command) {
  CLI::App scratch;
  int unused = 0;
  command.add(command_line{&scratch}, unused);
  return scratch.get_subcommands({}).front()->get_name();
}

// --help shows groups in the order of their first command, and commands in the order of their addition.
void add_commands(CLI::App& app, int& code) {
  std::ranges::sort(commands(), {}, [](const listed_command& c) { return std::pair{c.who, name_of(c)}; });
  for (const auto& command : commands()) {
    command.add(command_line{&app}, code);
    app.get_subcommands({}).back()->group(heading_for(command.who));
  }
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& all) {
  std::vector<std::string> names;
  for (const auto* command : all)
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

// CLI11 parses further than the first unknown option, so that the command that was given is known.
std::string suggestion(const CLI::App& app) {
  const auto given = app.get_subcommands();
  if (given.empty()) return "";
  std::vector<std::string> names;
  for (const auto* option : given.front()->get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  for (const auto& extra : given.front()->remaining())
    if (const auto found = did_you_mean(extra.substr(0, extra.find('=')), names); !found.empty()) return found;
  return "";
}

void require_known_command(const CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands({});
  if (std::ranges::any_of(all, [&](const CLI::App* command) { return command->get_name() == name; })) return;
  const auto meant = did_you_mean(name, names_of(all));
  throw usage_error(fmt::format("there is no command \"{}\"{}{} ./lab --help lists the commands", name, meant,
                                meant.empty() ? ";" : ""));
}

int say(const std::exception& e, int code) {
  fmt::print(stderr, "{}\n", wrapped(fmt::format("lab: {}", e.what()), terminal_width(STDERR_FILENO)));
  return code;
}

int run(int argc, char** argv) {
  CLI::App app{"Kernel Lab: write CUDA kernels step by step; check and time them on a GPU or on a CPU simulator.",
               "lab"};
  app.set_version_flag("--version", fmt::format("Kernel Lab {}", lab::version()), "Print the version and exit");
  app.failure_message([](const CLI::App* failed, const CLI::Error& e) {
    return wrapped(
        fmt::format("lab: {}{}\nRun './lab --help', or './lab COMMAND --help'.\n", e.what(),
                    e.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) ? suggestion(*failed) : ""),
        terminal_width(STDERR_FILENO));
  });
  app.footer(
      "NN is a lab's number, a unique part of its name or its folder: 4, 04 and padded name the same lab.\n"
      "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 this machine lacks something.");
  int code = passed;
  for (const auto& message : judge::load_own_labs()) say(std::runtime_error{message}, failed);
  add_commands(app, code);
  if (argc == 1) return show_what_to_do_next(), passed;
  // CLI11 would run a command that is named among the words.
  if (std::string_view{argv[1]} == "complete") return complete(command_line{&app}, {argv + 2, argv + argc}), passed;
  if (argv[1][0] != '-') require_known_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? passed : usage;
  }
  return code;
}

}  // namespace

command_registration::command_registration(audience who, command_adder add) { commands().push_back({who, add}); }

void become(const std::vector<std::string>& arguments) {
  std::vector<char*> raw;
  for (const auto& a : arguments) raw.push_back(const_cast<char*>(a.c_str()));
  raw.push_back(nullptr);
  std::fflush(nullptr);
  execvp(raw[0], raw.data());
  throw machine_error(fmt::format("cannot start {}: {}", arguments[0], std::strerror(errno)));
}

int exit_code_of(const std::function<int()>& function) {
  try {
    return function();
  } catch (const usage_error& e) {
    return say(e, usage);
  } catch (const machine_error& e) {
    return say(e, lacking);
  } catch (const write_error& e) {
    return say(e, lacking);
  } catch (const std::filesystem::filesystem_error& e) {
    const auto what = fmt::format("cannot use {}: {}", e.path1().string(), e.code().message());
    return say(machine_error{what}, lacking);
  } catch (const std::exception& e) {
    return say(e, failed);
  }
}

}  // namespace lab::cli

// The arrays of one case after another have about the same size. By default the allocator would give their memory back
// to the system each time, and page faults would take a tenth of a check.
static void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int main(int argc, char** argv) {
  keep_freed_memory();
  lab::orphan_processes::arm();
  return lab::cli::exit_code_of([&] {
    const int code = lab::cli::run(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    throw lab::cli::machine_error("cannot write the output; is the disk full?");
  });
}
