#pragma once

#include "../cooperative_groups.h"
#include "../lab_sim/group_memcpy_async.h"
