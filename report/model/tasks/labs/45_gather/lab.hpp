#pragma once

// out[i] = in[from[i] % n]. Device pointers.
void gather(const float* in, const int* from, float* out, int n);
