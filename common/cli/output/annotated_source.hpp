#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lab::cli {

/// What stands beside the source's lines: for each line number the texts beside it, one below the other.
using margin = std::map<int, std::vector<std::string>>;

/// Every function of the source that has a line in the margin, the margin in front and line numbers; all texts of the
/// margin are `width` wide.
std::string annotated_source(const std::filesystem::path& source, const margin& beside, std::size_t width);

}  // namespace lab::cli
