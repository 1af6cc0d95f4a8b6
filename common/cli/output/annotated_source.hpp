#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lab::cli {

/// The texts beside each line number, one below the other.
using margin = std::map<int, std::vector<std::string>>;

/// Every function that has a line in the margin: margin, line number, source. All texts of the margin have `width`
/// characters. With width 0 the texts stand below their line.
std::string annotated_source(const std::filesystem::path& source, const margin& beside, std::size_t width);

}  // namespace lab::cli
