#pragma once

// out[i] = factor * in[i] for 0 <= i < n.  Device pointers.
void scale(const int* in, int* out, int n, int factor);
