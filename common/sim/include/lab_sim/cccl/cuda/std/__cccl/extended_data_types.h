#pragma once

// CCCL's headers know the members of NVIDIA's __half and __nv_bfloat16, which the simulator's types do not have.

#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#include_next <cuda/std/__cccl/extended_data_types.h>
