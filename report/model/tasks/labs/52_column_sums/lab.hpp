#pragma once

// sums[c] is the sum of column c of `a`. Device pointers.
void column_sums(const float* a, float* sums, int rows, int cols);
