#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace lab::cli {

/// Exit codes of the command.
enum exit_code { passed = 0, failed = 1, usage = 2, lacking = 3 };

/// The machine has not got what was asked for; exit code 3.
struct machine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A sub-command: adds itself to the application and sets `code` when it has run.
using command = void (*)(CLI::App& app, int& code);

void add_list(CLI::App& app, int& code);
void add_next(CLI::App& app, int& code);
void add_watch(CLI::App& app, int& code);
void add_explain(CLI::App& app, int& code);
void add_predict(CLI::App& app, int& code);
void add_new(CLI::App& app, int& code);
void add_editor(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_bench(CLI::App& app, int& code);
void add_profile(CLI::App& app, int& code);
void add_run(CLI::App& app, int& code);
void add_gen(CLI::App& app, int& code);
void add_hint(CLI::App& app, int& code);
void add_reset(CLI::App& app, int& code);
void add_report(CLI::App& app, int& code);
void add_cc(CLI::App& app, int& code);
void add_doctor(CLI::App& app, int& code);
void add_demo(CLI::App& app, int& code);
void add_test(CLI::App& app, int& code);
void add_grade(CLI::App& app, int& code);
void add_lint(CLI::App& app, int& code);
void add_grade_worker(CLI::App& app, int& code);
void add_grade_collect(CLI::App& app, int& code);
void add_app(CLI::App& app, int& code);
void add_call(CLI::App& app, int& code);

/// Replaces this process by another program. @throws machine_error if it cannot be started
[[noreturn]] void become(const std::vector<std::string>& arguments);

}  // namespace lab::cli
