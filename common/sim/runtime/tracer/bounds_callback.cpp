#include <cstdint>
#include <cstdio>
#include <string>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// -fsanitize=bounds checks indices of arrays whose size the compiler knows. The structures have the compiler's layout.

namespace {

struct type_words {
  std::uint16_t kind, information;
  char name[1];  // of any length, with a terminating zero
};

struct index_place {
  const char* file;
  std::uint32_t line, column;
  const type_words* array;
  const type_words* index;
};

}  // namespace

using namespace lab::sim;

extern "C" void __ubsan_handle_out_of_bounds(index_place* place, std::uintptr_t index) {
  const std::string what =
      "index " + std::to_string(static_cast<std::intptr_t>(index)) + " of an array of type " + place->array->name;
  if (!tracing) {
    std::fprintf(stderr, "%s:%u: %s\n", place->file, place->line, what.c_str());
    return;
  }
  tracer::instance().at(__builtin_return_address(0), "");  // shared or local
  block_runner::current().abandon(cudaErrorIllegalAddress, hazard_kind::out_of_bounds, what);
}
