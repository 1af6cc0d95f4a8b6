#pragma once

#include "cuda_runtime.h"
#ifndef __CUDACC__  // host code may compute with these types, too
#include "lab_sim/device.h"
#endif
LAB_SIM_FOR_BOTH_BEGIN
#include "lab_sim/math/narrow_float.h"

typedef lab_sim::narrow_float<lab_sim::half_format> __half;
typedef lab_sim::narrow_pair<lab_sim::half_format> __half2;
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

LAB_SIM_CONVERSIONS(__half, __half2, half)
LAB_SIM_FOR_BOTH_END

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
