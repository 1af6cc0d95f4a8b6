#pragma once

#include "lab_sim/groups/groups.h"

// The group of all threads of a cluster of blocks.

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};
  LAB_SIM_INLINE void sync(lab_sim::place at = LAB_SIM_HERE) const {
    lab_sim::cluster_arrive(at);
    lab_sim::cluster_wait(at);
  }
  LAB_SIM_INLINE arrival_token barrier_arrive(lab_sim::place at = LAB_SIM_HERE) const {
    lab_sim::cluster_arrive(at);
    return {};
  }
  LAB_SIM_INLINE void barrier_wait(lab_sim::place at = LAB_SIM_HERE) const { lab_sim::cluster_wait(at); }
  LAB_SIM_INLINE void barrier_wait(arrival_token&&, lab_sim::place at = LAB_SIM_HERE) const {
    lab_sim::cluster_wait(at);
  }
  unsigned query_shared_rank(const void* shared) const { return lab_sim::rank_of_owner(shared); }
  template <class T>
  LAB_SIM_INLINE T* map_shared_rank(T* shared, int rank) const {
    return (T*)lab_sim::in_block_of_cluster((const void*)shared, static_cast<unsigned>(rank));
  }
  dim3 block_index() const { return lab_sim::place_in_cluster(); }
  unsigned block_rank() const { return lab_sim::rank_in_cluster(); }
  dim3 dim_blocks() const { return lab_sim::cluster_dim(); }
  unsigned num_blocks() const { return lab_sim::blocks_of_cluster(); }
  dim3 dim_threads() const {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  dim3 thread_index() const {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z};
  }
  unsigned num_threads() const { return num_blocks() * static_cast<unsigned>(lab_sim::volume(blockDim)); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return block_rank() * static_cast<unsigned>(lab_sim::volume(blockDim)) +
           static_cast<unsigned>(lab_sim::linear(threadIdx, blockDim));
  }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
