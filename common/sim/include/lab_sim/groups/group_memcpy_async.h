#pragma once

namespace cooperative_groups {

// Copies are done at once, so a missing wait() is not detected.
template <class Group, class T>
LAB_SIM_INLINE void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  const size_t step = group.size();
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += step) to[i] = from[i];
}
template <class Group>
LAB_SIM_INLINE void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
LAB_SIM_INLINE void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
