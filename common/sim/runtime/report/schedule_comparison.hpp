#pragma once

namespace lab::sim {

/// Runs the program n times before its main begins, each time as a new process with another legal order of blocks and
/// warps; n is LAB_SIM_SCHEDULES, or `otherwise` if that is not set. This process compares the outputs, reports the
/// hazards of all runs and exits. The function returns in the new processes, and if n < 2.
void compare_schedules(unsigned otherwise);

}  // namespace lab::sim
