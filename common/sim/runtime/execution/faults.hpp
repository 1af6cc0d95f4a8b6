#pragma once

namespace lab::sim {

/// Installs the handlers that catch faults of kernels on this OS thread and explain faults of host code.
void catch_faults();

}  // namespace lab::sim
