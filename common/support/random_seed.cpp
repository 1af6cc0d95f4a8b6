#include "support/random_seed.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace lab {

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) throw std::system_error(errno, std::generic_category());
  return bits;
}

std::uint64_t fresh_seed() { return random_bits() >> 11; }

}  // namespace lab
