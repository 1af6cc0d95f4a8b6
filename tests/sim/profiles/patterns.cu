// counts: strided 9 load global 1 32 4 0 0
// counts: strided 9 store global 1 4 4 0 0
// counts: shifted 10 load global 1 5 4 0 0
// counts: shifted 10 store global 1 4 4 0 0
// counts: broadcast 11 load global 1 1 1 0 0
// counts: broadcast 11 store global 1 4 4 0 0
// counts: partial 12 load global 1 2 2 0 0
// counts: partial 12 store global 1 2 2 0 0
__global__ void strided(const int* a, int* out) { out[threadIdx.x] = a[threadIdx.x * 8]; }
__global__ void shifted(const int* a, int* out) { out[threadIdx.x] = a[threadIdx.x + 1]; }
__global__ void broadcast(const int* a, int* out) { out[threadIdx.x] = a[7]; }
__global__ void partial(const int* a, int* out) { if (threadIdx.x < 11) out[threadIdx.x] = a[threadIdx.x]; }
int main() {
  int *in, *out;
  cudaMalloc(&in, 2048);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 2048);
  strided<<<1, 32>>>(in, out);
  shifted<<<1, 32>>>(in, out);
  broadcast<<<1, 32>>>(in, out);
  partial<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
