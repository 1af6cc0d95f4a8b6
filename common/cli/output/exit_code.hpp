#pragma once

#include <stdexcept>

namespace lab::cli {

/// Exit codes of the command.
enum exit_code { passed = 0, failed = 1, usage = 2, lacking = 3 };

/// This machine lacks something that the command needs; exit code 3.
struct machine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lab::cli
