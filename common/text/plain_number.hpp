#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace lab {

/// At most so many significant digits of a fraction, and all digits of a large number: 2.75, 31250, 1000192.
/// Never 3.1e+04.
inline std::string plain_number(double value, int digits = 4) {
  if (std::abs(value) >= std::pow(10.0, digits - 1)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace lab
