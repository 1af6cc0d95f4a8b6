#pragma once

#include <cstdint>
#include <string>

namespace lab::sim {

struct source_line {
  std::string file;
  int line = 0;
};

/// A place that a traced kernel passes as lab_sim::place, with the layout of the compiler's source_location.
struct source_place {
  const char* file;
  const char* function;
  std::uint32_t line, column;
};
/// Null for the address of an instruction.
const source_place* place_at(const void* pc_or_place);
/// Makes a place known, so that line_of() takes it in place of an instruction's address.
void make_known(const void* place);
/// Whether both are the same source position, or the same instruction.
bool same_place(const void* one, const void* other);

/// The student's source line of the instruction before this return address. A line in the headers of the simulator or
/// of labs/device counts as the line into which the compiler has inlined it. Needs an ordinary stack: never call it
/// from a fiber.
source_line line_of(const void* pc);

}  // namespace lab::sim
