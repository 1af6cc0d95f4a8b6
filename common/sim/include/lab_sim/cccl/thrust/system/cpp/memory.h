#pragma once

#include_next <thrust/system/cpp/memory.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_memory.h"
#endif
