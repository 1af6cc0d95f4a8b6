#include "lab.hpp"

// What the hardware does when it need not turn anything: a copy of as many bytes. Not a transpose; a yardstick.
void transpose(const int* in, int* out, int rows, int cols) {
  cudaMemcpyAsync(out, in, sizeof(int) * rows * cols, cudaMemcpyDeviceToDevice);
}
