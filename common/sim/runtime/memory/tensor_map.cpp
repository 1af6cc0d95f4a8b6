#include "sim/runtime/memory/tensor_map.hpp"

#include <algorithm>

namespace lab::sim {

unsigned tensor_map::rows() const {
  unsigned all = 1;
  for (unsigned d = 1; d < rank; ++d) all *= box[d];
  return all;
}

tensor_map::row tensor_map::row_at(const int* at, unsigned i) const {
  const char* from = base;
  for (unsigned d = 1; d < rank; ++d) {
    const auto index = std::int64_t{at[d]} + i % box[d];
    i /= box[d];
    if (index < 0 || index >= static_cast<std::int64_t>(extents[d])) return {nullptr, box[0], 0};
    from += index * static_cast<std::int64_t>(strides[d]);
  }
  const std::int64_t extent = static_cast<std::int64_t>(extents[0]), begin = at[0], end = begin + box[0];
  const std::int64_t first = std::clamp<std::int64_t>(begin, 0, extent);
  const std::int64_t last = std::clamp<std::int64_t>(end, first, extent);
  return {from + first * element_bytes, static_cast<unsigned>(std::min(first, end) - begin),
          static_cast<unsigned>(last - first)};
}

char* tensor_map::place_of(char* to, unsigned offset) const {
  return reinterpret_cast<char*>(swizzled(reinterpret_cast<std::uintptr_t>(to) + offset, 16u << swizzle));
}

}  // namespace lab::sim
