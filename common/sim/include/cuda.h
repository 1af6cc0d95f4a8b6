#pragma once

#define __cuda_cuda_h__  // programs ask for this guard of NVIDIA's header

#include "cuda_runtime.h"
#include "lab_sim/api/driver_api.h"

#define CUDA_VERSION 13000
