#pragma once

#include "cuda_runtime.h"
LAB_SIM_FOR_BOTH_BEGIN
#include "lab_sim/groups/group_cluster.h"
#include "lab_sim/groups/group_wide_tiles.h"
LAB_SIM_FOR_BOTH_END
