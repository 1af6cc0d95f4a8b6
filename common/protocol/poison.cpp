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
    for (; i + 4 <= end; i += 4) {
      const std::uint32_t value = word(i / 4);
      std::memcpy(&array[i], &value, 4);
    }
    const std::uint32_t last = word(i / 4);
    std::memcpy(array.data() + i, &last, end - i);
  });
}

}  // namespace lab::judge
