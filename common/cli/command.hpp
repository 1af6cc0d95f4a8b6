#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/output/exit_code.hpp"
#include "lab/lab_definition.hpp"

namespace lab::cli {

/// Adds a sub-command to the application. The sub-command sets `code` when it runs.
using command_adder = void (*)(command_line app, int& code);

/// The readers of a sub-command: --help groups sub-commands by them, first the few to start with. Other programs call
/// the hidden ones.
enum class audience { start, learn, teach, write_labs, any_program, hidden };

/// Registers a sub-command. Define one in the file of the sub-command:
/// `const command_registration registered_check{audience::learn, add_check};`
struct command_registration {
  command_registration(audience who, command_adder add);
};

/// The function's result; if it throws, prints the message and returns the exit code of that kind of exception.
int exit_code_of(const std::function<int()>& function);

/// Replaces this process with another program. @throws machine_error if that program does not start
[[noreturn]] void become(const std::vector<std::string>& arguments);

}  // namespace lab::cli
