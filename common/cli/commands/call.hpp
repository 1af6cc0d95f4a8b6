#pragma once

#include "cli/flags.hpp"

namespace lab::cli {

/// Which kernel and which of its launchers to call.
struct call_flags {
  flags common;
  std::string launcher;
};

/// Adds all options but the lab.
void add_call_options(CLI::App& command, call_flags& f);

/// The launcher of that name or, if the name is empty, the lab's last one. @throws usage_error naming the launchers
const launcher_spec& called_launcher(const entry& lab, const call_flags& f);

}  // namespace lab::cli
