#pragma once

namespace lab::sim {

/// Starts the pool that runs blocks: as many threads as the machine has cores, or LAB_SIM_THREADS.
void start_workers();

}  // namespace lab::sim
