#pragma once

// Cooperative groups: the block, the grid, and the members of all groups.

namespace lab_sim {

inline unsigned long long linear(const uint3& at, const dim3& size) {
  return at.x + static_cast<unsigned long long>(size.x) * (at.y + static_cast<unsigned long long>(size.y) * at.z);
}
inline unsigned long long volume(const dim3& d) { return static_cast<unsigned long long>(d.x) * d.y * d.z; }

}  // namespace lab_sim

namespace cooperative_groups {

namespace details {
enum class kind { block, grid, lanes };
}

/// Any group. A group within a warp has the mask of its lanes.
class thread_group {
 public:
  LAB_SIM_INLINE void sync(lab_sim::place at = LAB_SIM_HERE) const {
    if (kind_ == details::kind::block) return void(lab_sim::block_barrier(0, at));
    if (kind_ == details::kind::grid) return lab_sim::grid_barrier();
    lab_sim::meet(mask_, 0);
  }
  unsigned long long size() const {
    if (kind_ == details::kind::lanes) return static_cast<unsigned>(__builtin_popcount(mask_));
    const unsigned long long block = lab_sim::volume(blockDim);
    return kind_ == details::kind::block ? block : block * lab_sim::volume(gridDim);
  }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    if (kind_ == details::kind::lanes)
      return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << lab_sim::lane()) - 1)));
    const unsigned long long in_block = lab_sim::linear(threadIdx, blockDim);
    if (kind_ == details::kind::block) return in_block;
    return lab_sim::linear(blockIdx, gridDim) * lab_sim::volume(blockDim) + in_block;
  }
  bool is_valid() const { return kind_ != details::kind::grid || lab_sim::grid_is_cooperative(); }

 protected:
  thread_group(details::kind kind, unsigned mask) : kind_{kind}, mask_{mask} {}
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);

  details::kind kind_;
  unsigned mask_;
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};
  thread_block() : thread_group{details::kind::block, 0} {}
  unsigned size() const { return static_cast<unsigned>(thread_group::size()); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(thread_group::thread_rank()); }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
  arrival_token barrier_arrive() const { return {}; }
  LAB_SIM_INLINE void barrier_wait(arrival_token&&, lab_sim::place at = LAB_SIM_HERE) const {
    lab_sim::block_barrier(0, at);
  }
};

class grid_group : public thread_group {
 public:
  grid_group() : thread_group{details::kind::grid, 0} {}
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 block_index() const { return blockIdx; }
  unsigned long long num_blocks() const { return lab_sim::volume(gridDim); }
  unsigned long long block_rank() const { return lab_sim::linear(blockIdx, gridDim); }
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }

template <class Group>
LAB_SIM_INLINE void sync(const Group& group, lab_sim::place at = LAB_SIM_HERE) {
  group.sync(at);
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

/// One thread of the group calls the function.
template <class Group, class F, class... Arguments>
void invoke_one(const Group& group, F&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}

}  // namespace cooperative_groups
