#pragma once

#include "diagnosis/mismatch.hpp"

namespace lab::judge {

/// Compares under the rule "unless within, wrong": NaN on either side is never right, an infinity only if expected.
comparison compare(const output_view& output, const tolerance& allow);

}  // namespace lab::judge
