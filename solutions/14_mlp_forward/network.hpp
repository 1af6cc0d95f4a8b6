#pragma once

// The network, and what all of the encore's kernels need.

constexpr int pixels = 784, hidden = 100, classes = 10;
constexpr int quads = hidden / 4;  // vectors in a row of weights
constexpr int lanes = 32;

struct network {
  const float *w1, *b1, *w2, *b2, *w3, *b3;
};

// Microseconds on an H200: of any launch, and of one block and two on each multiprocessor.
struct times {
  double begin, one, two;

  double of(int blocks) const { return begin + blocks / 2 * two + blocks % 2 * one; }
};

__device__ float4 quad(const float* p) { return *reinterpret_cast<const float4*>(p); }
