#pragma once

#include_next <thrust/system/cpp/detail/malloc_and_free.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_allocation.h"
#endif
