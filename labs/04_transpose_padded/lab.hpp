#pragma once

// out[j][i] = in[i][j]: `in` has rows x cols elements, `out` cols x rows, both row-major.  Device pointers.
void transpose(const int* in, int* out, int rows, int cols);
