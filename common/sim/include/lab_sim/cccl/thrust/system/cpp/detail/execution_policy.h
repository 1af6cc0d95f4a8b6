#pragma once

#include_next <thrust/system/cpp/detail/execution_policy.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_policy.h"
#endif
