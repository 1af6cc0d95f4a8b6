// hazard: none
__global__ void set(int* d) { d[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  set<<<1, 32>>>(in);
  twice<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
