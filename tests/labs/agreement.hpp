#pragma once

#include <string>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab_test {

/// A line for each of the card's CPU programs and cases where the judge would not accept what the program computes: it
/// is compared with the reference as a kernel is, with the lab's own tolerance, or exactly where the judge demands
/// that.
std::vector<std::string> disagreements(const lab::lab_definition& c);

}  // namespace lab_test
