#pragma once

// `a` has rows x cols elements, row-major; `v` and `c` have cols elements, `b` has rows.  Device pointers.

// b = A v.
void matrix_vector(const float* a, const float* v, float* b, int rows, int cols);

// c = A^T b.
void transpose_vector(const float* a, const float* b, float* c, int rows, int cols);

// b = A v, then c = A^T b.
void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols);
