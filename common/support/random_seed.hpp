#pragma once

#include <cstdint>

namespace lab {

/// 64 random bits from the operating system. @throws std::system_error
std::uint64_t random_bits();

/// A random seed of 53 bits, which a JSON number holds exactly. @throws std::system_error
std::uint64_t fresh_seed();

}  // namespace lab
