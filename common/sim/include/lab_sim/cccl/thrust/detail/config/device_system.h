#pragma once

// Thrust's device system is the simulator's, unless the program chooses one for the host. Its algorithms are Thrust's
// sequential ones, whose headers are those of the system CPP.

#include_next <thrust/detail/config/device_system.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#define LAB_SIM_THRUST
#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#undef __THRUST_DEVICE_SYSTEM_ROOT
// clang-format off
#define __THRUST_DEVICE_SYSTEM_ROOT thrust/system/cpp
// clang-format on
#endif
