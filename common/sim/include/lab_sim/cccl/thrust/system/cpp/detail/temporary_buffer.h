#pragma once

#include_next <thrust/system/cpp/detail/temporary_buffer.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_allocation.h"
#endif
