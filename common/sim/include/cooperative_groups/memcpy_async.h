#pragma once

#include "../cooperative_groups.h"
LAB_SIM_FOR_BOTH_BEGIN
#include "../lab_sim/groups/group_memcpy_async.h"
LAB_SIM_FOR_BOTH_END
