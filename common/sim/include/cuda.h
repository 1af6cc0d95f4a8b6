#pragma once

#include "cuda_runtime.h"
#include "lab_sim/api/driver_api.h"

#define CUDA_VERSION 13000
