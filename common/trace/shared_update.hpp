#pragma once

#include <filesystem>
#include <string_view>

#include "trace/trace_report.hpp"

namespace lab::judge {

/// Whether a race is an update of an element that threads share: the same statement loads an element, changes it and
/// stores it, in one line (`bins[b] = bins[b] + 1`) or in two (`old = bins[b]; bins[b] = old + 1`). A barrier cannot
/// order it.
bool shared_update(const hazard& race, const std::filesystem::path& source);

/// The same for the text of the two lines, which are equal if there is one.
bool updates_one_element(std::string_view line, std::string_view other_line);

}  // namespace lab::judge
