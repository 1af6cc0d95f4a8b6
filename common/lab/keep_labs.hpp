#pragma once

#include <functional>

#include "lab/lab_definition.hpp"

namespace lab {

/// Removes the other labs from labs().
void keep_labs(const std::function<bool(const entry&)>& wanted);

}  // namespace lab
