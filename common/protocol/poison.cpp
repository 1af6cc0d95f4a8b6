#include "protocol/poison.hpp"

#include <algorithm>
#include <cstring>

#include "support/parallel.hpp"

namespace lab::judge {

void poison::fill(std::span<std::byte> array) const {
  constexpr std::size_t chunk_bytes = 1 << 20;
  parallel_for(static_cast<std::int64_t>((array.size() + chunk_bytes - 1) / chunk_bytes), [&](std::int64_t chunk) {
    const std::size_t begin = static_cast<std::size_t>(chunk) * chunk_bytes,
                      end = std::min(begin + chunk_bytes, array.size());
    std::size_t i = begin;
    for (; i + 8 <= end; i += 8) {
      const std::uint64_t value = words(i / 8);
      std::memcpy(&array[i], &value, 8);
    }
    const std::uint64_t last = words(i / 8);
    std::memcpy(array.data() + i, &last, end - i);
  });
}

}  // namespace lab::judge
