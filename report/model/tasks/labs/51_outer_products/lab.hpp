#pragma once

// out[r][c] = in[r][c] + rows[r] * cols[c] for a matrix of n rows and m columns. Device pointers.
void outer_products(const float* in, const float* rows, const float* cols, float* out, int n, int m);
