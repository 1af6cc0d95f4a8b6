#include <array>
#include <cstring>
#include <span>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/tensor/cells.hpp"

// Fragments between memory and the registers of a warp.

namespace lab::sim {

namespace {

using lab_sim::matrix_piece;

struct lane_piece {
  const matrix_piece* what;
  char* registers;
  char* memory;
  unsigned stride;
  const void* pc;
  bool writes;
};

lane_piece& piece_of(void* const* lanes, int lane) { return *static_cast<lane_piece*>(lanes[lane]); }

std::ptrdiff_t bit_offset(const lane_piece& p, int row, int col) {
  const std::ptrdiff_t line = p.what->by_rows ? row : col, within = p.what->by_rows ? col : row;
  return (line * p.stride + within) * bits_of(p.what->type);
}

layout layout_of(const matrix_piece& p) { return layout::of(p.which, p.m, p.n, p.k, p.type); }

unsigned first_thread() { return linear_index(threadIdx) / 32 * 32; }

// The instructions that nvcc makes: neighbors in one register, or two neighboring sums, are one access of a lane.
void trace_by_elements(void* const* lanes) {
  struct access {
    std::ptrdiff_t begin = 0;
    unsigned bits = 0;
  };
  std::array<access, 32> open{};
  const unsigned first = first_thread();
  const matrix_piece& what = *piece_of(lanes, 0).what;
  const int bits = bits_of(what.type), together = what.which == operand::sums ? 2 : std::max(1, 32 / bits);
  const auto emit = [&](int lane) {
    auto& o = open[static_cast<std::size_t>(lane)];
    const auto& p = piece_of(lanes, lane);
    if (o.bits > 0) trace::accessed(first + lane, p.memory + o.begin / 8, std::max(1u, o.bits / 8), p.writes, p.pc);
    o.bits = 0;
  };
  int at = 0;
  const auto emit_all = [&] {
    for (int lane = 0; lane < 32; ++lane) emit(lane);
  };
  layout_of(what).for_each([&](int lane, int i, int row, int col) {
    if (i != at && i % together == 0) emit_all();
    at = i;
    auto& o = open[static_cast<std::size_t>(lane)];
    const auto begin = bit_offset(piece_of(lanes, lane), row, col);
    if (o.bits > 0 && o.begin + static_cast<std::ptrdiff_t>(o.bits) != begin) emit(lane);
    if (o.bits == 0) o.begin = begin;
    o.bits += static_cast<unsigned>(bits);
  });
  emit_all();
}

// ldmatrix reads rows of eight elements of 16 bits, up to 32 rows at once.
bool reads_whole_rows(const lane_piece& p) {
  return p.what->in_shared && p.what->which != operand::sums && bits_of(p.what->type) == 16;
}

void trace_by_rows(void* const* lanes) {
  const lane_piece& p = piece_of(lanes, 0);
  const matrix_piece& what = *p.what;
  const int rows = what.which == operand::a ? what.m : what.k, cols = what.which == operand::a ? what.k : what.n;
  const int lines = what.by_rows ? rows : cols, length = what.by_rows ? cols : rows;
  const unsigned first = first_thread();
  for (int i = 0; i < lines * length / 8; ++i) {
    const int line = i % lines, part = i / lines * 8;
    trace::accessed(first + i % 32, p.memory + (std::ptrdiff_t{line} * p.stride + part) * 2, 16, false, p.pc);
  }
}

// Elements of less than a byte fill a register with neighbors in memory; the first of them moves all.
template <class T>
void move_elements(void* const* lanes, std::span<const cell> cells) {
  const int bits = bits_of(piece_of(lanes, 0).what->type);
  const bool writes = piece_of(lanes, 0).writes;
  for (const cell& c : cells) {
    const lane_piece& p = piece_of(lanes, c.lane);
    const std::ptrdiff_t offset = bit_offset(p, c.row, c.col);
    if (bits < 8 && offset % 32 != 0) continue;
    char *const mine = p.registers + c.place * bits / 8, *const in_memory = p.memory + offset / 8;
    writes ? std::memcpy(in_memory, mine, sizeof(T)) : std::memcpy(mine, in_memory, sizeof(T));
  }
}

auto mover_of(element type) {
  switch (bits_of(type)) {
    case 8:
      return &move_elements<std::uint8_t>;
    case 16:
      return &move_elements<std::uint16_t>;
    case 64:
      return &move_elements<std::uint64_t>;
    default:
      return &move_elements<std::uint32_t>;
  }
}

void move_piece(void* const* lanes) {
  const auto& any = piece_of(lanes, 0);
  if (trace::enabled()) reads_whole_rows(any) ? trace_by_rows(lanes) : trace_by_elements(lanes);
  const matrix_piece& what = *any.what;
  const auto cells = cells_of(what.which, what.m, what.n, what.k, what.type);
  mover_of(what.type)(lanes, cells);
  if (any.writes) return;
  const std::size_t bytes = cells.size() / 32 * static_cast<std::size_t>(bits_of(what.type)) / 8;
  for (int lane = 0; lane < 32; ++lane)
    for (int copy = 1; copy < what.copies; ++copy)
      std::memcpy(piece_of(lanes, lane).registers + static_cast<std::size_t>(copy) * bytes,
                  piece_of(lanes, lane).registers, bytes);
}

// Matrices of 8 x 8 elements of 16 bits.
struct lane_eights {
  int matrices;
  bool transposed, writes;
  unsigned* registers;
  char* row;
  const void* pc;
};

void move_eights(void* const* lanes) {
  const auto of = [&](int lane) -> const lane_eights& { return *static_cast<const lane_eights*>(lanes[lane]); };
  const lane_eights& any = of(0);
  const unsigned first = first_thread();
  for (int lane = 0; trace::enabled() && lane < any.matrices * 8; ++lane)
    trace::accessed(first + lane, of(lane).row, 16, any.writes, any.pc);
  for (int i = 0; i < any.matrices; ++i)
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        const int high = lane / 4, low = lane % 4 * 2 + half;
        const int row = any.transposed ? low : high, col = any.transposed ? high : low;
        char* const in_memory = of(i * 8 + row).row + col * 2;
        char* const in_register = reinterpret_cast<char*>(of(lane).registers + i) + half * 2;
        any.writes ? std::memcpy(in_memory, in_register, 2) : std::memcpy(in_register, in_memory, 2);
      }
}

void together(warp_operation operation, void* mine, lab_sim::place at, const void* pc) {
  block_runner::running().together(operation, mine, at.data, pc);
}

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

void lab_sim::load(const matrix_piece& what, void* registers, const void* from, unsigned stride, place at) {
  const void* const pc = __builtin_return_address(0);
  lane_piece mine{&what, static_cast<char*>(registers), static_cast<char*>(const_cast<void*>(from)), stride, pc, false};
  lab::sim::together(&move_piece, &mine, at, pc);
}

void lab_sim::store(const matrix_piece& what, const void* registers, void* to, unsigned stride, place at) {
  const void* const pc = __builtin_return_address(0);
  lane_piece mine{&what, static_cast<char*>(const_cast<void*>(registers)), static_cast<char*>(to), stride, pc, true};
  lab::sim::together(&move_piece, &mine, at, pc);
}

void lab_sim::load_eights(int matrices, bool transposed, unsigned* registers, const void* row, place at) {
  const void* const pc = __builtin_return_address(0);
  lane_eights mine{matrices, transposed, false, registers, static_cast<char*>(const_cast<void*>(row)), pc};
  lab::sim::together(&move_eights, &mine, at, pc);
}

void lab_sim::store_eights(int matrices, bool transposed, const unsigned* registers, void* row, place at) {
  const void* const pc = __builtin_return_address(0);
  lane_eights mine{matrices, transposed, true, const_cast<unsigned*>(registers), static_cast<char*>(row), pc};
  lab::sim::together(&move_eights, &mine, at, pc);
}
