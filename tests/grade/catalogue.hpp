#pragma once

#include <filesystem>

#include "grade/job/row.hpp"

namespace lab_test {

/// Grades a .cu file for lab 01 in the strongest sandbox of this machine, with short limits.
lab::grade::row graded(const std::filesystem::path& source);

/// Checks a submission: it gets a verdict from its first line, leaves no process and no file, and has a row of bounded
/// size.
void require_its_verdict(const std::filesystem::path& source);

}  // namespace lab_test
