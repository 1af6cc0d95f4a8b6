#pragma once

#define __CUDA_RUNTIME_H__  // programs ask for this guard of NVIDIA's header

#ifdef LAB_SIM_STRICT
#include "lab_sim/strict.h"
#endif

#ifdef __CUDACC__
#include "lab_sim/memory_functions.h"
#endif
#include "cuda_runtime_api.h"

// As in CUDA, the names of the language exist only in sources that the CUDA compiler (labcc) compiles.
#ifdef __CUDACC__
#include "lab_sim/qualifiers.h"
LAB_SIM_FOR_BOTH_BEGIN
#include "lab_sim/api/launch_api.h"
#include "lab_sim/device.h"
#include "lab_sim/launch.h"
#if !defined(LAB_SIM_STRICT) && !defined(LAB_SIM_TRACE)
#include "lab_sim/lanes.h"
#include "lab_sim/wide_rows.h"
#endif
LAB_SIM_FOR_BOTH_END
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
