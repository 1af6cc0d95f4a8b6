// unjudged: it turns nothing over; how long do as many bytes take?
#include "lab.hpp"

void transpose(const int* in, int* out, int rows, int cols) {
  cudaMemcpyAsync(out, in, size_t(rows) * cols * sizeof(int), cudaMemcpyDeviceToDevice);
}
