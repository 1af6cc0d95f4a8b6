#pragma once

#include_next <thrust/system/cpp/detail/assign_value.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_elements.h"
#endif
