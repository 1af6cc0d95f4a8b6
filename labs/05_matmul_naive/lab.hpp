#pragma once

// c = a b: `a` has n x m elements, `b` m x p, `c` n x p, all row-major.  Device pointers.
void matmul(const float* a, const float* b, float* c, int n, int m, int p);

// The same, by warps that own 32 rows of one column of `c`.
void matmul_uncoalesced(const float* a, const float* b, float* c, int n, int m, int p);
