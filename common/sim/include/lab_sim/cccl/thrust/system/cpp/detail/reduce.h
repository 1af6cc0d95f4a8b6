#pragma once

#include_next <thrust/system/cpp/detail/reduce.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_reduce.h"
#endif
