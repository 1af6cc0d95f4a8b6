#pragma once

// c[i][j] = the largest a[i][k] + b[k][j] over all k: the longest way from i to j over one place between. a is an n x m
// matrix, b is m x p. Device pointers.
void longest_paths(const float* a, const float* b, float* c, int n, int m, int p);
