#pragma once

#include <cstdint>

namespace lab {

/// A seed from the system's source, small enough for a JSON number. @throws std::system_error
std::uint64_t fresh_seed();

}  // namespace lab
