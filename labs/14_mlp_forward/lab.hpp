#pragma once

// The network 784-100-100-10: two hidden layers with ReLU, then softmax.  All row-major, device pointers:
//   images         batch x 784, values in [0, 1]
//   w1, b1         784 x 100, 100        w2, b2  100 x 100, 100        w3, b3  100 x 10, 10
//   probabilities  batch x 10: each row is positive and sums to 1
// A layer computes activation(x w + b), so that row k of w holds the weights of input k.

// One thread an output, straight from global memory.
void forward_naive(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch);

// The same through tiles in shared memory.
void forward_tiled(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch);

// The same with four outputs a thread.
void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch);
