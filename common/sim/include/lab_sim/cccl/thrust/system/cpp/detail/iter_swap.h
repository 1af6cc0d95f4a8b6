#pragma once

#include_next <thrust/system/cpp/detail/iter_swap.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_elements.h"
#endif
