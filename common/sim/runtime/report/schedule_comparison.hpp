#pragma once

namespace lab::sim {

/// With LAB_SIM_SCHEDULES=n, or n = `otherwise` without the setting, the program, before its main begins, becomes n
/// processes one after another, each with another legal order of blocks and warps. This process then compares what they
/// print, reports what any of them has found, and ends. Returns at once in those processes, and if n < 2.
void compare_schedules(unsigned otherwise);

}  // namespace lab::sim
