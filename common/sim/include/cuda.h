#pragma once

#include "cuda_runtime.h"
#include "lab_sim/api/tensor_maps.h"

#define CUDA_VERSION 13000
