#pragma once

#include <cstddef>

// What the rest of the runtime tells the tracer. Cheap while nothing is traced.

namespace lab::sim::trace {

void copied(const void* to, const void* from, std::size_t bytes);
void wrote(const void* p, std::size_t bytes);

}  // namespace lab::sim::trace
