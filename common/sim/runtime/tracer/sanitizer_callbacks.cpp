#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// -fsanitize=bounds checks indices of arrays whose size the compiler knows, -fsanitize=alignment every address. The
// structures have the compiler's layout.

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

enum class use : std::uint8_t { load, store };  // others read a member or bind a reference

struct pointer_place {
  const char* file;
  std::uint32_t line, column;
  const type_words* type;
  std::uint8_t alignment;  // its logarithm
  use kind;
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

// The compiler splits a known misaligned access into bytes before it reports it as one. A member may be aligned where
// its structure is not, and the tracer sees its access. A CPU allows host code such an access.
extern "C" void __ubsan_handle_type_mismatch_v1(pointer_place* place, std::uintptr_t address) {
  const bool accesses = place->kind == use::load || place->kind == use::store;
  if (!tracing || !accesses || tracing->only_coverage() || std::strstr(place->file, "/lab_sim/")) return;
  tracing->misaligned_pointer(address, std::size_t{1} << place->alignment, place->type->name,
                              __builtin_return_address(0));
}
