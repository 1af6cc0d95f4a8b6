#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "wgmma.hpp"

// Hopper's asynchronous copies, barriers and matrix instructions under readable names. They have no C++ of their own:
// what stands here is one instruction of PTX a function.
namespace hopper {

__device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory (mbarrier). A phase of it is over when all arrivals and all announced bytes have come.
struct barrier {
  std::uint64_t state;

  /// Called by one thread before another thread uses the barrier.
  __device__ __forceinline__ void init(unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals) : "memory");
  }
  __device__ __forceinline__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  /// Arrives, and announces so many bytes of asynchronous copies.
  __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                 : "memory");
  }
  /// Arrives at the barrier at the same place in another block of the cluster. What this thread wrote is not ordered
  /// before it: with `.release.cluster` an arrival takes half a microsecond.
  __device__ __forceinline__ void arrive_in_block(unsigned rank) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(shared_address(this)),
        "r"(rank)
        : "memory");
  }
  /// Arrives once all copies that this thread has begun by cp.async have come.
  __device__ __forceinline__ void arrive_after_copies() {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(this)) : "memory");
  }
  /// Waits for the end of a phase: parity 0 for the first, third ..., 1 for the second, fourth ...
  /// A fresh barrier counts as one whose phase of parity 1 is over.
  __device__ __forceinline__ void wait(unsigned parity) {
    unsigned over = 0;
    while (!over) {
      asm volatile(
          "{\n.reg .pred over;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
          "selp.u32 %0, 1, 0, over;\n}"
          : "=r"(over)
          : "r"(shared_address(this)), "r"(parity)
          : "memory");
    }
  }
  /// The same in one piece of PTX, loop and all, around which the compiler arranges other instructions otherwise.
  __device__ __forceinline__ void wait_in_place(unsigned parity) {
    asm volatile(
        "{\n.reg .pred over;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
        "@over bra done;\n"
        "bra again;\n"
        "done:\n}" ::"r"(shared_address(this)),
        "r"(parity)
        : "memory");
  }
};

/// Makes new barriers known to the copy engine and to the cluster; a barrier of all threads must follow.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// What this thread has read of shared memory is read before the copy engine writes there, if it hears of it after
/// this: without, a load on its way may read what the next copy brought.
__device__ __forceinline__ void finish_reads() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// What this thread has written to shared memory, or has heard that others have, the tensor cores and the copy engine
/// see from here on.
__device__ __forceinline__ void finish_writes() { finish_reads(); }

/// A barrier of all threads of all blocks of the cluster.
__device__ __forceinline__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/// The same, but what the threads wrote to memory is not ordered before it.
__device__ __forceinline__ void meet_in_cluster() {
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
}

__device__ __forceinline__ unsigned rank_in_cluster() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Lets the copy engine (TMA) fetch the box of the map's matrix that begins at (row, col); zeros come for what is
/// beyond the matrix. Its bytes count towards the phase of `done`.
__device__ __forceinline__ void load_box(void* to, const CUtensorMap& map, int row, int col, barrier& done) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(shared_address(to)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&done))
      : "memory");
}

/// The same for several blocks of a cluster at once, one bit of the mask each: box and bytes come to all of them, at
/// the same place.
__device__ __forceinline__ void load_box_for(std::uint16_t blocks, void* to, const CUtensorMap& map, int row, int col,
                                             barrier& done) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&done)), "h"(blocks)
      : "memory");
}

/// Gives registers back to the multiprocessor, or takes more: so many for each thread of this warpgroup from here on.
template <int registers>
__device__ __forceinline__ void shrink_to() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void grow_to() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

/// Where wgmma finds an operand in shared memory, as load_box brings it, in rows of 128 bytes. `leading` and `stride`
/// are in bytes: how far apart the operand's parts are in its two directions.
__device__ __forceinline__ std::uint64_t operand(const void* start, unsigned leading, unsigned stride) {
  constexpr std::uint64_t swizzled_128_bytes = 1;
  constexpr unsigned within_block = 0x3ffff;  // the bits above say which block of the cluster
  return (shared_address(start) & within_block) >> 4 | std::uint64_t{leading >> 4} << 16 |
         std::uint64_t{stride >> 4} << 32 | swizzled_128_bytes << 62;
}

/// The same operand so many bytes further. Its address is in the lower half and stays there, so the upper half needs no
/// instruction.
__device__ __forceinline__ std::uint64_t further(std::uint64_t operand, unsigned bytes) {
  return operand >> 32 << 32 | (unsigned(operand) + (bytes >> 4));
}

/// Orders what this warpgroup did with its registers before the matrix instructions that follow.
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// Closes a group of matrix instructions.
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// Waits until no more than so many groups are unfinished.
template <int unfinished>
__device__ __forceinline__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(unfinished) : "memory");
}

/// Nothing reads these registers before this line, nor writes them after it.
template <int count>
__device__ __forceinline__ void settle(float (&sums)[count]) {
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

/// The driver's function that describes a matrix to the copy engine; null if the driver is too old to have it.
inline auto tensor_map_encoder() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult ignored;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &ignored);
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  return found;
}

/// Describes a row-major matrix of bf16 to the copy engine, to be fetched in boxes of `box_height` rows of 64 elements.
/// The matrix must begin at a multiple of 16 bytes, and so must its rows: `width` is a multiple of 8. Where not all
/// rows begin at a line of L2, L2 is not asked to fetch their neighbors, too: 300 x 10000 x 5000 of lab 17 is 1.17
/// times as fast on an H200.
inline CUtensorMap tensor_map(const unsigned short* matrix, int height, int width, unsigned box_height) {
  const auto encode = tensor_map_encoder();
  CUtensorMap map{};
  const cuuint64_t extents[] = {cuuint64_t(width), cuuint64_t(height)}, row_bytes[] = {cuuint64_t(width) * 2};
  const cuuint32_t box[] = {64, box_height}, every[] = {1, 1};
  const auto promotion = width % 64 == 0 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_NONE;
  const bool well =
      encode && encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<unsigned short*>(matrix), extents,
                       row_bytes, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, promotion,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
  if (!well) std::fprintf(stderr, "no tensor map for a matrix of %d x %d at %p\n", height, width, (const void*)matrix);
  return map;
}

/// The same for a matrix of floats and boxes of any width up to 256, whose rows arrive one after the other. False if
/// the driver refuses: `width` must be a multiple of 4.
inline bool describe(CUtensorMap& map, const float* matrix, int height, int width, unsigned box_height,
                     unsigned box_width) {
  const auto encode = tensor_map_encoder();
  const cuuint64_t extents[] = {cuuint64_t(width), cuuint64_t(height)}, row_bytes[] = {cuuint64_t(width) * 4};
  const cuuint32_t box[] = {box_width, box_height}, every[] = {1, 1};
  return encode && encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(matrix), extents, row_bytes, box,
                          every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                          CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace hopper
