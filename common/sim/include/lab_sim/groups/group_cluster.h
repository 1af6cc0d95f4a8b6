#pragma once

#include "lab_sim/groups/groups.h"

// The group of all threads of a cluster of blocks.

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};
  LAB_SIM_INLINE static void sync(lab_sim::place at = LAB_SIM_HERE) {
    lab_sim::cluster_arrive(at);
    lab_sim::cluster_wait(at);
  }
  LAB_SIM_INLINE static arrival_token barrier_arrive(lab_sim::place at = LAB_SIM_HERE) {
    lab_sim::cluster_arrive(at);
    return {};
  }
  LAB_SIM_INLINE static void barrier_wait(lab_sim::place at = LAB_SIM_HERE) { lab_sim::cluster_wait(at); }
  LAB_SIM_INLINE static void barrier_wait(arrival_token&&, lab_sim::place at = LAB_SIM_HERE) {
    lab_sim::cluster_wait(at);
  }
  static unsigned query_shared_rank(const void* shared) { return lab_sim::rank_of_owner(shared); }
  template <class T>
  LAB_SIM_INLINE static T* map_shared_rank(T* shared, int rank) {
    return (T*)lab_sim::in_block_of_cluster((const void*)shared, static_cast<unsigned>(rank));
  }
  static dim3 block_index() { return lab_sim::place_in_cluster(); }
  static unsigned block_rank() { return lab_sim::rank_in_cluster(); }
  static dim3 dim_blocks() { return lab_sim::cluster_dim(); }
  static unsigned num_blocks() { return lab_sim::blocks_of_cluster(); }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z};
  }
  static unsigned num_threads() { return num_blocks() * static_cast<unsigned>(lab_sim::volume(blockDim)); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() {
    return block_rank() * static_cast<unsigned>(lab_sim::volume(blockDim)) +
           static_cast<unsigned>(lab_sim::linear(threadIdx, blockDim));
  }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
