#pragma once

#include "cuda_runtime.h"
#ifndef __CUDACC__  // host code may compute with these types, too
#include "lab_sim/device.h"
#endif
LAB_SIM_FOR_BOTH_BEGIN
#include "lab_sim/math/narrow_float.h"

typedef lab_sim::narrow_float<lab_sim::bfloat16_format> __nv_bfloat16;
typedef lab_sim::narrow_pair<lab_sim::bfloat16_format> __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LAB_SIM_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
LAB_SIM_FOR_BOTH_END

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffU)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
