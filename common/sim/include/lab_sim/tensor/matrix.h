#pragma once

// Matrix operations of a whole warp. Each lane holds a part of every operand in its registers, as on compute capability
// 8.0. All 32 lanes call these functions together.

namespace lab_sim {

enum class element : unsigned char { half, bfloat16, tf32, float32, float64, int8, uint8, int4, uint4, bit, int32 };
enum class operand : unsigned char { a, b, sums };

/// d = a b + c, where a has m x k elements and b has k x n.
struct warp_product {
  int m, n, k;
  element a, b, c, d;
  bool saturates;  // integers
  bool by_and;     // bits: counts a & b, not a ^ b
};
void multiply(const warp_product& what, void* d, const void* a, const void* b, const void* c, place at = LAB_SIM_HERE);

/// One operand of a product in memory: m x k elements, k x n or m x n.
struct matrix_piece {
  operand which;
  int m, n, k;
  element type;
  bool by_rows;    // its rows are contiguous, else its columns
  int copies;      // of each element in a lane's registers
  bool in_shared;  // the instruction names shared memory
};
/// `stride`: from row to row, or column to column, in elements.
void load(const matrix_piece& what, void* registers, const void* from, unsigned stride, place at = LAB_SIM_HERE);
void store(const matrix_piece& what, const void* registers, void* to, unsigned stride, place at = LAB_SIM_HERE);

/// Moves one, two or four matrices of 8 x 8 elements of 16 bits between shared memory and registers. Lane i gives the
/// address of a row. Each lane has two neighbors of a row, or of a column if `transposed`.
void load_eights(int matrices, bool transposed, unsigned* registers, const void* row, place at = LAB_SIM_HERE);
void store_eights(int matrices, bool transposed, const unsigned* registers, void* row, place at = LAB_SIM_HERE);

}  // namespace lab_sim
