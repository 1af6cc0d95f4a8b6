// hazard: error out_of_bounds 6 0
#include <cstring>
__global__ void fill(int* out, const int* in) {
  int values[8];
  for (int k = 0; k < 8; ++k) values[k] = in[k] + threadIdx.x;
  memcpy(out + 8 * threadIdx.x, values, sizeof values);
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 32);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 32);
  fill<<<1, 17>>>(out, in);
  return cudaDeviceSynchronize();
}
