#pragma once

// sums[r] is the sum of row r of `a`. Device pointers.
void row_sums(const float* a, float* sums, int rows, int cols);
