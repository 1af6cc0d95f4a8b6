#pragma once

// c = a b: `a` has n x m elements, `b` m x p, `c` n x p, all row-major.  Device pointers.
// The common dimension m is cut into `parts` parts, each multiplied in a stream of its own; parts >= 1, also beyond m.
// When the function returns, the legacy stream waits for all of them.

// The parts' products go to one accumulator each, which are added up at the end.
void matmul_split(const float* a, const float* b, float* c, int n, int m, int p, int parts);

// The parts' products are added to c where it lies.
void matmul_split_atomic(const float* a, const float* b, float* c, int n, int m, int p, int parts);
