#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/command.hpp"
#include "support/orphan_processes.hpp"

namespace lab::cli {

namespace {

constexpr command commands[] = {add_list,         add_next,          add_watch,  add_check, add_bench,
                                add_profile,      add_predict,       add_run,    add_gen,   add_hint,
                                add_explain,      add_reset,         add_report, add_draw,  add_draw_worker,
                                add_cc,           add_demo,          add_doctor, add_test,  add_grade,
                                add_grade_worker, add_grade_collect, add_lint,   add_new,   add_editor};

int run(int argc, char** argv) {
  CLI::App app{"Kernel Lab: write CUDA kernels step by step, checked and timed on a GPU or on a CPU simulator.", "lab"};
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("lab: {}\nRun './lab --help', or './lab COMMAND --help'.\n", e.what());
  });
  app.footer(
      "NN is a lab's number or a unique part of its name: 4, 04 and padded are the same lab.\n"
      "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 something this machine lacks.");
  int code = passed;
  for (const auto add : commands) add(app, code);
  const auto known = [&](const CLI::App* c) { return argc > 1 && c->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::ranges::none_of(app.get_subcommands({}), known))
    throw usage_error(fmt::format("there is no command \"{}\"; './lab --help' shows them all", argv[1]));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? passed : usage;
  }
  return code;
}

}  // namespace

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
