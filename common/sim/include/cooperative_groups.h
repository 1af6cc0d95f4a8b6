#pragma once

#include "cuda_runtime.h"
#include "lab_sim/group_tiles.h"
