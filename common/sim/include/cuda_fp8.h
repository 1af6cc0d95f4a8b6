#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
LAB_SIM_FOR_BOTH_BEGIN
#include "lab_sim/math/fp8_numbers.h"
LAB_SIM_FOR_BOTH_END
