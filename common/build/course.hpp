#pragma once

#include <string_view>

namespace lab::judge {

// What a command needs beside its program. Each function throws a usage_error that says what to do.

/// The folder of a course.
void require_course();

/// A course with solutions.
void require_solutions();

/// A checkout, from which this program can be built again.
void require_checkout(std::string_view command);

}  // namespace lab::judge
