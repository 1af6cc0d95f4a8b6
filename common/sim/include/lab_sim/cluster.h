#pragma once

// Clusters of blocks, on compute capability 9.0: where a block is in its cluster, and CUDA's functions for that.

namespace lab_sim {

/// The running block's place in its cluster, and the cluster's place among those of the grid.
inline dim3 place_in_cluster() {
  const dim3 size = cluster_dim();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
inline dim3 cluster_index() {
  const dim3 size = cluster_dim();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
inline dim3 clusters_in_grid() {
  const dim3 size = cluster_dim();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}
inline unsigned rank_in_cluster() {
  const dim3 at = place_in_cluster(), size = cluster_dim();
  return at.x + size.x * (at.y + size.y * at.z);
}
inline unsigned blocks_of_cluster() {
  const dim3 size = cluster_dim();
  return size.x * size.y * size.z;
}

}  // namespace lab_sim

inline dim3 __clusterDim() { return lab_sim::cluster_dim(); }
inline dim3 __clusterRelativeBlockIdx() { return lab_sim::place_in_cluster(); }
inline dim3 __clusterIdx() { return lab_sim::cluster_index(); }
inline dim3 __clusterGridDimInClusters() { return lab_sim::clusters_in_grid(); }
inline unsigned __clusterRelativeBlockRank() { return lab_sim::rank_in_cluster(); }
inline unsigned __clusterSizeInBlocks() { return lab_sim::blocks_of_cluster(); }
inline bool __clusterDimIsSpecified() { return lab_sim::blocks_of_cluster() > 1; }
LAB_SIM_INLINE void __cluster_barrier_arrive(lab_sim::place at = LAB_SIM_HERE) { lab_sim::cluster_arrive(at); }
LAB_SIM_INLINE void __cluster_barrier_arrive_relaxed(lab_sim::place at = LAB_SIM_HERE) {
  lab_sim::cluster_arrive(at, false);
}
LAB_SIM_INLINE void __cluster_barrier_wait(lab_sim::place at = LAB_SIM_HERE) { lab_sim::cluster_wait(at); }
LAB_SIM_INLINE void* __cluster_map_shared_rank(const void* shared, unsigned rank) {
  return lab_sim::in_block_of_cluster(shared, rank);
}
inline unsigned __cluster_query_shared_rank(const void* shared) { return lab_sim::rank_of_owner(shared); }
