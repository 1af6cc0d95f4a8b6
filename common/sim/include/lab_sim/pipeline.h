#pragma once

LAB_SIM_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  lab_sim::copy_async(to, from, static_cast<unsigned>(bytes), static_cast<unsigned>(zeros));
}
inline void __pipeline_commit() { lab_sim::close_copies(); }
LAB_SIM_INLINE void __pipeline_wait_prior(size_t groups) { lab_sim::await_copies(static_cast<unsigned>(groups)); }
