#pragma once

// out[j][i] = in[i][j]: `in` has rows x cols elements, `out` cols x rows, both row-major.  Device pointers.
void transpose(const int* in, int* out, int rows, int cols);

// The same result with coalesced stores: a warp loads from 32 rows of `in` and stores 32 neighbours of `out`.
void transpose_coalesced_stores(const int* in, int* out, int rows, int cols);
