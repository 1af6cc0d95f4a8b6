#pragma once

// Each row of `out` is the softmax of that row of `in`. Device pointers.
void softmax(const float* in, float* out, int rows, int cols);
