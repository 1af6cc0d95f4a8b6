#pragma once

#include "cli/common_flags.hpp"

namespace lab::cli {

/// The kernel to call, and its launcher.
struct call_flags {
  common_flags common;
  std::string launcher;
};

/// Adds all options except the lab.
void add_call_options(command_line command, call_flags& flags);

/// The launcher of this name or, if the name is empty, the lab's last one.
/// @throws usage_error if there is none; the message lists the launchers
const launcher_spec& called_launcher(const entry& lab, const call_flags& flags);

}  // namespace lab::cli
