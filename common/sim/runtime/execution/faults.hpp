#pragma once

namespace lab::sim {

/// Catches faults of kernels on every OS thread that has called it, and explains faults of host code.
void catch_faults();

}  // namespace lab::sim
