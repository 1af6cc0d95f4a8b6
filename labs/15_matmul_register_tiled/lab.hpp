#pragma once

// c = a b: `a` has n x m elements, `b` m x p, `c` n x p, all row-major.  Device pointers.
// 128 results a thread: stage 3.
void matmul(const float* a, const float* b, float* c, int n, int m, int p);

// The same with 16 results a thread: stages 1 and 2.
void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p);
void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p);
