#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

// What the kernels of few_tiles.hpp and thin_products.hpp share: the sizes of a product, a block's part of it, how
// elements are read and stored, and how c is cleared where several blocks add to it.
namespace few_tiles {

constexpr int depth = 16;  // of the small tiles along the common dimension; parts of it are multiples of this

__host__ __device__ constexpr int divided(int a, int b) { return (a - 1) / b + 1; }
__host__ __device__ inline bool is_aligned(const void* at, unsigned bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

struct shape {
  int n, m, p;  // a has n x m elements, b m x p, c n x p
};

// The part of the common dimension for the blocks with one blockIdx.z; `length` of them each.
struct part {
  int first, end;

  __device__ part(int length, int m) : first(blockIdx.z * length), end(min(m, first + length)) {}
};

// Several blocks add to an element of c, which was zero before.
__device__ inline void give(float* to, float sum) {
  if (gridDim.z > 1)
    atomicAdd(to, sum);
  else
    *to = sum;
}

__device__ inline float as_float(float x) { return x; }
__device__ inline float as_float(unsigned short bf16) { return __uint_as_float(unsigned(bf16) << 16); }

// Four neighbours in memory at a multiple of their size: as they are there, and as floats.
template <class T>
using four = std::conditional_t<sizeof(T) == sizeof(float), float4, uint2>;

template <class T>
__device__ four<T> four_at(const T* first) {
  return *reinterpret_cast<const four<T>*>(first);
}
__device__ inline float4 as_floats(const float4& floats) { return floats; }
__device__ inline float4 as_floats(const uint2& pairs) {
  return {__uint_as_float(pairs.x << 16), __uint_as_float(pairs.x & 0xffff0000), __uint_as_float(pairs.y << 16),
          __uint_as_float(pairs.y & 0xffff0000)};
}
template <class T>
__device__ float4 joined(const T* elements) {
  return {as_float(elements[0]), as_float(elements[1]), as_float(elements[2]), as_float(elements[3])};
}
template <class T>
__device__ float4 vector_at(const T* first) {
  return as_floats(four_at(first));
}

inline int multiprocessors() {
  static const int count = [] {
    int device = 0, found = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device);
    return found;
  }();
  return count;
}

/// How many of the common dimension's elements each of `splits` blocks gets: whole tiles.
inline int length_for(int splits, int m) { return divided(divided(m, splits), depth) * depth; }

// A kernel that `launch_after_zeros` launched begins while c is being cleared, and calls this before it stores. Its
// first loads and products so hide the clearing: 1.29 times as fast at 181 x 1129 x 211 of bf16 on an H200.
__device__ inline void wait_for_zeros() {
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900  // the simulator runs one kernel after the other
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Called by a kernel that clears: the next kernel may begin.
__device__ inline void let_next_begin() {
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

constexpr int threads_of_zeros = 256;

// With more elements, the next kernel's blocks wait until all of this kernel have gone. Those that come one by one, as
// room is free, are spread unevenly: 512 x 512 x 512 of floats took 1.5 times as long on an H200.
constexpr size_t zeros_beside_others = 1 << 16;

static __global__ void __launch_bounds__(threads_of_zeros) zero_kernel(float* to, size_t count) {
  if (count <= zeros_beside_others) let_next_begin();
  const size_t step = size_t(gridDim.x) * threads_of_zeros;
  for (size_t i = size_t(blockIdx.x) * threads_of_zeros + threadIdx.x; i < count; i += step) to[i] = 0;
}

// Whether the kernel was compiled for GPUs that have the instruction.
template <class... P>
bool can_wait(void (*kernel)(P...)) {
  cudaFuncAttributes found{};
  return cudaFuncGetAttributes(&found, kernel) == cudaSuccess && found.ptxVersion >= 90;
}

/// Of a launch whose kernel may begin before the last one has ended. Only for kernels that can wait.
inline cudaLaunchAttribute begins_early() {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

/// Launches a kernel. `early`: it waits itself for the last one, where it needs what that one wrote.
template <class... P, class... Given>
void launch_kernel(bool early, void (*kernel)(P...), dim3 grid, dim3 threads, size_t bytes, Given... given) {
  cudaLaunchAttribute attribute = begins_early();
  cudaLaunchConfig_t config{};
  config.gridDim = grid, config.blockDim = threads, config.dynamicSmemBytes = bytes;
  config.attrs = &attribute, config.numAttrs = early && can_wait(kernel);
  cudaLaunchKernelEx(&config, kernel, given...);
}

/// Clears `count` elements from `zeros` on, at least one, to which several blocks will add.
inline void launch_zeros(float* zeros, size_t count) {
  const size_t blocks = (count - 1) / threads_of_zeros + 1, most = 4 * size_t(multiprocessors());
  zero_kernel<<<int(std::min(blocks, most)), threads_of_zeros>>>(zeros, count);
}

/// Clears and launches the kernel. With a count of zero it is a launch as any other.
template <class... P, class... Given>
void launch_after_zeros(float* zeros, size_t count, void (*kernel)(P...), dim3 grid, int threads, size_t bytes,
                        Given... given) {
  if (count > 0) launch_zeros(zeros, count);
  launch_kernel(count > 0, kernel, grid, threads, bytes, given...);
}

}  // namespace few_tiles
