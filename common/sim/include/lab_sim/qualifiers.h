#pragma once

// The qualifiers of CUDA C++. For clang's check they have their CUDA meaning. For a host compiler they are empty,
// except that a block's shared memory is thread-local to the OS thread that runs the block.

#ifdef LAB_SIM_STRICT
#define LAB_SIM_FOR_BOTH_BEGIN _Pragma("clang force_cuda_host_device begin")
#define LAB_SIM_FOR_BOTH_END _Pragma("clang force_cuda_host_device end")
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if __clang_major__ < 15  // later versions know the word, also in an attribute of the standard library
#define __noinline__ __attribute__((noinline))
#endif
#define __cluster_dims__(...)
#define LAB_SIM_INDEX extern __device__ const
#define LAB_SIM_LOCAL extern
#else
#define LAB_SIM_FOR_BOTH_BEGIN
#define LAB_SIM_FOR_BOTH_END
#ifdef LAB_SIM_COUNTED  // one function for each kernel, so that a profile counts its instructions
#define __global__ __attribute__((noinline, noclone))
#else
#define __global__
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__
// Constant initialization: otherwise arrays of vectors get a guard variable.
#define __shared__ static __constinit __thread
#define __launch_bounds__(...)
#define __cluster_dims__(...)
// initial-exec: one load from the thread pointer, because the library is always loaded at start.
#define LAB_SIM_LOCAL extern __thread __attribute__((tls_model("initial-exec")))
#ifdef LAB_SIM_TRACE  // indices never change, and the compiler does not report accesses to constants
#define LAB_SIM_INDEX LAB_SIM_LOCAL const
#else
#define LAB_SIM_INDEX LAB_SIM_LOCAL
#endif
#endif

#ifdef LAB_SIM_COUNTED  // a call in a kernel's profile, not the simulator's loop over the lanes
#define LAB_SIM_INSTRUCTION inline __attribute__((noinline))
#else
#define LAB_SIM_INSTRUCTION inline
#endif

#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
