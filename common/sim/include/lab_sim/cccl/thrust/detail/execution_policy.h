#pragma once

#include_next <thrust/detail/execution_policy.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_session.h"
#endif
