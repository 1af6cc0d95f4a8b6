#pragma once

#include <sys/types.h>

// Ctrl-C must leave no process behind. A child lives in a session of its own, so the terminal's signal does not reach
// it.
namespace lab::orphan_processes {

/// Makes SIGINT, SIGTERM and SIGHUP kill every added group before they end this program, where they would end it.
void arm();

void add(pid_t group);
void remove(pid_t group);

}  // namespace lab::orphan_processes
