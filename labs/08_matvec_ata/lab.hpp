#pragma once

// b = A v, then c = A^T b: `a` has rows x cols elements, row-major; `v` and `c` have cols elements, `b` has rows.
// Device pointers.
void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols);
