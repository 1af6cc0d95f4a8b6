#pragma once

#include_next <thrust/system/cpp/memory_resource.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_memory_resource.h"
#endif
