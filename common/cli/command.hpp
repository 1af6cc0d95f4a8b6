#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/output/exit_code.hpp"
#include "lab/lab_definition.hpp"

namespace lab::cli {

/// Adds a sub-command to the application; it sets `code` when it has run.
using command_adder = void (*)(CLI::App& app, int& code);

/// Who a sub-command is for: the group under which --help shows it. Hidden ones are for other commands to call.
enum class audience { learn, teach, write_labs, any_program, hidden };

/// Puts a sub-command on the list, from the file that defines it:
/// `const command_registration registered{audience::learn, add_check};`
struct command_registration {
  command_registration(audience who, command_adder add);
};

/// Replaces this process by another program. @throws machine_error if it cannot be started
[[noreturn]] void become(const std::vector<std::string>& arguments);

}  // namespace lab::cli
