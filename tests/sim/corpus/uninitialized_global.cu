// hazard: error uninitialized_read 3 0
__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 64);
  twice<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
