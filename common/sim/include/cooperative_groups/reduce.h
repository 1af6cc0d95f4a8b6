#pragma once

#include "../cooperative_groups.h"
#include "../lab_sim/group_reduce.h"
