#pragma once

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <type_traits>

#include "../cuda_runtime_api.h"

// What device code sees: qualifiers, indices, barriers.

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// A block runs whole on one OS thread. Constant initialisation: arrays of vectors would get a guard variable.
#define __shared__ static __constinit __thread
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

// initial-exec: one load from the thread pointer, since the library is always there from the start.
#define LAB_SIM_LOCAL extern __thread __attribute__((tls_model("initial-exec")))
LAB_SIM_LOCAL uint3 threadIdx;
LAB_SIM_LOCAL uint3 blockIdx;
LAB_SIM_LOCAL dim3 blockDim;
LAB_SIM_LOCAL dim3 gridDim;
constexpr int warpSize = 32;

void __syncthreads();
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
[[noreturn]] void __trap();
void __nanosleep(unsigned nanoseconds);
long long clock64();

extern "C" {
LAB_SIM_LOCAL __attribute__((aligned(1024))) unsigned char lab_sim_dynamic[];
}

namespace lab_sim {

/// The block's dynamic shared memory, bound as whatever array the kernel declares.
struct dynamic_shared {
  template <class T>
  operator T&() const {
    return *reinterpret_cast<T*>(lab_sim_dynamic);
  }
};

/// All lanes of the mask meet; the values that the warp's lanes brought, valid until the lane's next collective.
const uint64_t* meet(unsigned mask, uint64_t value);
unsigned lane();
unsigned active_lanes();
/// Lets other threads of the block run; what a thread that waits for another one calls.
void give_way();

}  // namespace lab_sim

#include "atomics.h"
#include "math.h"
#include "warp.h"
#ifdef LAB_SIM_TRACE
#include "loops.h"
#endif
