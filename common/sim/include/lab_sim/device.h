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
#include "lab_sim/place.h"
#include "lab_sim/qualifiers.h"

// What device code uses: indices, barriers.

LAB_SIM_INDEX uint3 threadIdx;
LAB_SIM_INDEX uint3 blockIdx;
LAB_SIM_INDEX dim3 blockDim;
LAB_SIM_INDEX dim3 gridDim;
constexpr int warpSize = 32;

#ifdef LAB_SIM_STRICT  // clang defines __syncthreads itself
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
#else
LAB_SIM_INLINE void __syncthreads(lab_sim::place at = LAB_SIM_HERE) { lab_sim::block_barrier(0, at); }
LAB_SIM_INLINE int __syncthreads_count(int predicate, lab_sim::place at = LAB_SIM_HERE) {
  return lab_sim::block_barrier(predicate, at);
}
LAB_SIM_INLINE int __syncthreads_and(int predicate, lab_sim::place at = LAB_SIM_HERE) {
  return lab_sim::block_barrier(!predicate, at) == 0;
}
LAB_SIM_INLINE int __syncthreads_or(int predicate, lab_sim::place at = LAB_SIM_HERE) {
  return lab_sim::block_barrier(predicate, at) != 0;
}
#endif
[[noreturn]] void __trap();
void __nanosleep(unsigned nanoseconds);
long long clock64();

namespace lab_sim {
extern "C" bool lab_sim_inside();  // a block runs on this OS thread
constexpr bool on_device() { return !__builtin_is_constant_evaluated() && lab_sim_inside(); }
/// CUDA's clock() in device code, the low word of clock64(); in host code the C library's.
inline clock_t device_clock() { return on_device() ? static_cast<clock_t>(static_cast<int>(clock64())) : ::clock(); }
}  // namespace lab_sim

// What __CUDA_ARCH__ is in device code; labcc's -arch sets it.
#ifndef LAB_SIM_CUDA_ARCH
#define LAB_SIM_CUDA_ARCH 900
#endif

#ifndef LAB_SIM_STRICT
extern "C" {
LAB_SIM_LOCAL __attribute__((aligned(1024))) unsigned char lab_sim_dynamic[];
}

namespace lab_sim {

/// The block's dynamic shared memory, as any array type that the kernel declares.
struct dynamic_shared {
  template <class T>
  operator T&() const {
    return *reinterpret_cast<T*>(lab_sim_dynamic);
  }
};

}  // namespace lab_sim
#endif

// A name that no other place of the compilation gets, also if a file is included twice.
#define LAB_SIM_JOIN_LATER(a, b) a##b
#define LAB_SIM_JOIN(a, b) LAB_SIM_JOIN_LATER(a, b)
#define LAB_SIM_UNIQUE(name) LAB_SIM_JOIN(name, __COUNTER__)

namespace lab_sim {

/// Calls what labcc wrote for a kernel, unless its name has several kernels.
template <class Registration>
bool register_if_unique(Registration registration) {
  if constexpr (std::is_invocable_v<Registration, int>)
    return registration(0);
  else
    return false;
}

/// Registers a variable with its qualifier ("__device__", ...). labcc adds this call to the declaration.
bool register_variable(const volatile void* at, size_t bytes, const char* name, const char* qualifier,
                       bool initialized);
/// Registers a static variable of device code when the program starts.
template <auto* variable>
struct static_variable {
  static inline const bool registered = register_variable(variable, sizeof *variable, "of device code", "static", true);
};
/// Registers the program or library at this address as one with kernels.
bool register_module(const void* address);
#if defined(__CUDACC__) && !defined(LAB_SIM_STRICT)
namespace {
const bool module_is_enlisted = register_module(&module_is_enlisted);
}
#endif

/// Waits for all lanes of the mask. Returns the values of the lanes, valid until the lane's next warp operation.
const uint64_t* meet(unsigned mask, uint64_t value);
unsigned lane();
/// A barrier of so many threads of the block, of PTX's number. Only a thread that waits stays until all have come.
void barrier_of_part(unsigned number, unsigned threads, bool waits);
/// Waits for all threads of a part of the block. Returns their values by rank, valid until the thread's next call.
const uint64_t* meet_part(unsigned part, unsigned threads, unsigned rank, uint64_t value);
/// Waits until no thread of the block can continue otherwise. Returns the lanes that wait at the same line.
unsigned gather(const char* function, int line);
/// Waits for all threads of all blocks of a cooperative launch.
void grid_barrier();
bool grid_is_cooperative();
/// Blocks of a cluster of this launch; 1 in each dimension if it has none.
dim3 cluster_dim();
/// A thread arrives at the barrier of its cluster, and waits for all others that have not exited. `releases`: what it
/// did before has come to all who have waited.
void cluster_arrive(place at, bool releases = true);
void cluster_wait(place at);
/// The place in another block's shared memory that corresponds to this one, or that has this address.
void* in_block_of_cluster(const void* shared, unsigned rank);
unsigned rank_of_owner(const void* shared);
/// Lets other threads of the block run. A thread that waits for another one calls it.
void yield();

}  // namespace lab_sim

#include "lab_sim/atomics.h"
#include "lab_sim/cluster.h"
#include "lab_sim/math/math.h"
#include "lab_sim/math/shifts.h"
#include "lab_sim/ptx/ptx.h"
#include "lab_sim/textures/surfaces.h"
#include "lab_sim/textures/texture_references.h"
#include "lab_sim/warp.h"
#ifdef LAB_SIM_TRACE
#include "lab_sim/loops.h"
#endif
