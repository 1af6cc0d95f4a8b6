#pragma once

#include <string>
#include <vector>

namespace lab {

/// The rows of comma-separated values. A quoted field may contain commas, line ends and doubled quotes.
std::vector<std::vector<std::string>> parse_csv(const std::string& text);

}  // namespace lab
