#pragma once

// c = a b: `a` has n x m elements of bf16 (their bits, as unsigned short), `b` m x p, `c` n x p of float, all
// row-major. Device pointers.
void matmul_bf16(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p);
