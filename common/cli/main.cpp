#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/command.hpp"
#include "support/orphan_processes.hpp"

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

const char* heading(audience who) {
  switch (who) {
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

// Sorted by audience, because --help shows groups in the order of their first command.
void add_commands(CLI::App& app, int& code) {
  std::ranges::stable_sort(commands(), {}, &listed_command::who);
  for (const auto& command : commands()) {
    command.add(app, code);
    app.get_subcommands({}).back()->group(heading(command.who));
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Kernel Lab: write CUDA kernels step by step; check and time them on a GPU or on a CPU simulator.",
               "lab"};
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("lab: {}\nRun './lab --help', or './lab COMMAND --help'.\n", e.what());
  });
  app.footer(
      "NN is a lab's number or a unique part of its name: 4, 04 and padded name the same lab.\n"
      "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 this machine lacks something.");
  int code = passed;
  add_commands(app, code);
  const auto known = [&](const CLI::App* c) { return argc > 1 && c->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::ranges::none_of(app.get_subcommands({}), known))
    throw usage_error(fmt::format("there is no command \"{}\"; ./lab --help lists the commands", argv[1]));
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

}  // namespace lab::cli

int main(int argc, char** argv) {
  lab::orphan_processes::arm();
  try {
    return lab::cli::run(argc, argv);
  } catch (const lab::usage_error& e) {
    fmt::print(stderr, "lab: {}\n", e.what());
    return lab::cli::usage;
  } catch (const lab::cli::machine_error& e) {
    fmt::print(stderr, "lab: {}\n", e.what());
    return lab::cli::lacking;
  } catch (const std::exception& e) {
    fmt::print(stderr, "lab: {}\n", e.what());
    return lab::cli::failed;
  }
}
