#pragma once

#include <sys/types.h>

// Ctrl-C must leave no process behind. A child has a session of its own, so the terminal's signal does not reach it.
namespace lab::orphan_processes {

/// Makes SIGINT, SIGTERM and SIGHUP kill every added process group before they end this program. Signals that the
/// program handles or ignores stay as they are.
void arm();

void add(pid_t group);
void remove(pid_t group);

}  // namespace lab::orphan_processes
