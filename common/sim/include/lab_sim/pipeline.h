#pragma once

// As in cooperative groups' memcpy_async, copies are done at once, so a missing wait is not detected.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  if (bytes == 16 && zeros % 16 == 0)
    *static_cast<int4*>(to) = zeros ? int4{} : *static_cast<const int4*>(from);
  else if (bytes == 8 && zeros % 8 == 0)
    *static_cast<int2*>(to) = zeros ? int2{} : *static_cast<const int2*>(from);
  else
    for (size_t i = 0; i < bytes / 4; ++i)
      static_cast<int*>(to)[i] = (i + 1) * 4 > bytes - zeros ? 0 : static_cast<const int*>(from)[i];
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
