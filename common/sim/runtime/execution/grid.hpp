#pragma once

namespace lab::sim {

/// Starts the pool of OS threads that runs blocks: LAB_SIM_THREADS threads, by default one for each core.
void start_workers();

}  // namespace lab::sim
