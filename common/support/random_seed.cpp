#include "support/random_seed.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace lab {

std::uint64_t fresh_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) throw std::system_error(errno, std::generic_category());
  return seed >> 11;  // 53 bits, what every reader of JSON keeps
}

}  // namespace lab
