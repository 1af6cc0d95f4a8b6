#pragma once

// c = a^T * a, for a matrix a with `rows` rows and `cols` columns. Device pointers.
void gram(const float* a, float* c, int rows, int cols);
