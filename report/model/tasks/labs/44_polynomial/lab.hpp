#pragma once

// out[i] = 1 + x + x^2 + ... + x^degree for x = in[i] / 2. Device pointers.
void polynomial(const float* in, float* out, int n, int degree);
