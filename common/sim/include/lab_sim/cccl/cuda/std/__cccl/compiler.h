#pragma once

// The simulator's kernels are host code, so CCCL's headers must choose what they offer for a host compiler.

#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")
