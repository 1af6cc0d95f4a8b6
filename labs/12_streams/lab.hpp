#pragma once

// Matrices are row-major: `a` has n x m elements, `b` m x p, `c` n x p.  Device pointers.
// Work that the caller puts into the legacy stream after the call begins when the results are there.

// c_k = a_k b_k for 0 <= k < count, each product in a stream of its own. The matrices a_k follow each other in `a`, as
// do those of `b` and `c`.
void matmul_batch(const float* a, const float* b, float* c, int n, int m, int p, int count);

// c = a b. The common dimension m is cut into `parts` parts, each multiplied in a stream of its own; parts >= 1, also
// beyond m.

// The parts' products go to one accumulator each, which are added up at the end.
void matmul_split(const float* a, const float* b, float* c, int n, int m, int p, int parts);

// The parts' products are added directly to c.
void matmul_split_atomic(const float* a, const float* b, float* c, int n, int m, int p, int parts);
