#include "lab.hpp"

// A thread goes down a part of a column and keeps the element above in a register.
constexpr int wide = 64, down = 16;

__global__ void stencil_kernel(const float* in, float* out, int rows, int cols) {
  const int c = blockIdx.x * wide + threadIdx.x, first = blockIdx.y * down;
  if (c >= cols) return;
  float above = first > 0 ? in[(first - 1) * cols + c] : 0, here = in[first * cols + c];
  for (int r = first; r < first + down && r < rows; ++r) {
    const float below = r + 1 < rows ? in[(r + 1) * cols + c] : 0;
    const bool edge = r == 0 || c == 0 || r == rows - 1 || c == cols - 1;
    const int at = r * cols + c;
    out[at] = edge ? here : 0.2f * (here + in[at - 1] + in[at + 1] + above + below);
    above = here, here = below;
  }
}

void stencil(const float* in, float* out, int rows, int cols) {
  stencil_kernel<<<dim3((cols - 1) / wide + 1, (rows - 1) / down + 1), wide>>>(in, out, rows, cols);
}
