#pragma once

#include <string>
#include <vector>

namespace lab {

/// The rows of comma-separated values. A quoted field may contain commas, line ends and doubled quotes.
std::vector<std::vector<std::string>> parse_csv(const std::string& text);

/// A cell of such a row, quoted if it must be. For text that is trusted; sanitize::csv() is for all other text.
std::string csv_cell(const std::string& text);

}  // namespace lab
