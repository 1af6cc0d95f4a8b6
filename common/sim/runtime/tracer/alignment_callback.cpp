#include <cstdint>

#include "sim/runtime/tracer/tracer.hpp"

// -fsanitize=alignment checks the addresses that the compiler knows to be misaligned, too: for those,
// -fsanitize=thread reports an access to a range of bytes. The structure has the compiler's layout.

namespace {

struct access_place {
  const char* file;
  std::uint32_t line, column;
  const void* type;
  unsigned char log_of_alignment, kind;
};
constexpr unsigned char load = 0, store = 1;  // others bind references or name members, and access nothing

}  // namespace

using namespace lab::sim;

extern "C" void __ubsan_handle_type_mismatch_v1(const access_place* place, std::uintptr_t address) {
  const bool accesses = place->kind == load || place->kind == store;
  const unsigned alignment = 1u << place->log_of_alignment;
  if (!tracing || !accesses || address < 65536 || address % alignment == 0) return;
  tracing->misaligned_at(address, alignment, __builtin_return_address(0));
}
