#pragma once

#include <string>
#include <vector>

namespace lab {

/// The rows of a text of comma-separated values; quoted fields may hold commas, line ends and doubled quotes.
std::vector<std::vector<std::string>> parse_csv(const std::string& text);

}  // namespace lab
