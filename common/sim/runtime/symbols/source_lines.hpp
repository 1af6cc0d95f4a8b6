#pragma once

#include <string>

namespace lab::sim {

struct source_line {
  std::string file;
  int line = 0;
};

/// The student's source line of the instruction before this return address. A line in the simulator's headers counts as
/// the line that calls it. Needs an ordinary stack: never call it from a fiber.
source_line line_of(const void* pc);

}  // namespace lab::sim
