// hazard: error race 4 7
// The event is recorded before the launch that it should stand for.
__global__ void fill(int* d) {
  d[threadIdx.x] = threadIdx.x;
}
__global__ void use(const int* d, int* out) {
  out[threadIdx.x] = d[63 - threadIdx.x];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 256);
  cudaMalloc(&out, 256);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaEventRecord(filled, first);
  fill<<<1, 64, 0, first>>>(d);
  cudaStreamWaitEvent(second, filled);
  use<<<1, 64, 0, second>>>(d, out);
  return cudaDeviceSynchronize();
}
