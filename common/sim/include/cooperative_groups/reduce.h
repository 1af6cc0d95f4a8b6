#pragma once

#include "../cooperative_groups.h"
LAB_SIM_FOR_BOTH_BEGIN
#include "../lab_sim/groups/group_reduce.h"
LAB_SIM_FOR_BOTH_END
