#pragma once

#include <filesystem>

#include "grade/job/row.hpp"

namespace lab_test {

/// Grades a .cu file for lab 01 in the strongest sandbox of this machine, with short limits.
lab::grade::row graded(const std::filesystem::path& source);

/// It gets a verdict that its first line allows, is timed as slow if its second says so, leaves no process and no file
/// behind, and its row fits every report.
void require_its_verdict(const std::filesystem::path& source);

}  // namespace lab_test
