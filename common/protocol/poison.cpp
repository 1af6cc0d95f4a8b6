#include "protocol/poison.hpp"

#include <algorithm>
#include <cstring>

#include "support/parallel.hpp"

namespace lab::judge {

void poison::fill(std::span<std::byte> image) const {
  constexpr std::size_t chunk = 1 << 20;
  parallel_for(static_cast<std::int64_t>((image.size() + chunk - 1) / chunk), [&](std::int64_t c) {
    const std::size_t begin = static_cast<std::size_t>(c) * chunk, end = std::min(begin + chunk, image.size());
    for (std::size_t i = begin; i < end; i += 4) {
      const std::uint32_t w = word(i / 4);
      std::memcpy(&image[i], &w, std::min<std::size_t>(4, end - i));
    }
  });
}

}  // namespace lab::judge
