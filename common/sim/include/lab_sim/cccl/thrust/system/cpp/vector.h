#pragma once

#include_next <thrust/system/cpp/vector.h>

#ifdef LAB_SIM_THRUST
#include "lab_sim/cccl/thrust_vector.h"
#endif
