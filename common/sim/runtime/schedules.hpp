#pragma once

namespace lab::sim {

/// With LAB_SIM_SCHEDULES=n the program, before its main begins, becomes n processes one after another, each with
/// another legal order of blocks and warps. This process then compares what they print, reports what any of them has
/// found, and ends. Returns at once in those processes, and without the setting.
void try_schedules();

}  // namespace lab::sim
