// hazard: error race 4 7
// Three streams read; the writer waits for the first and the last of them.
__global__ void use(const int* d, int* out) {
  out[threadIdx.x] = d[threadIdx.x];
}
__global__ void fill(int* d) {
  d[threadIdx.x] = 1;
}
int main() {
  int *d, *out[3];
  cudaMalloc(&d, 256);
  fill<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  cudaStream_t readers[3], writer;
  cudaStreamCreate(&writer);
  cudaEvent_t done;
  cudaEventCreate(&done);
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&out[k], 256);
    cudaStreamCreate(&readers[k]);
    use<<<1, 64, 0, readers[k]>>>(d, out[k]);
    cudaEventRecord(done, readers[k]);
    if (k != 1) cudaStreamWaitEvent(writer, done);
  }
  cudaMemsetAsync(out[0], 0, 256, writer);
  fill<<<1, 64, 0, writer>>>(d);
  return cudaDeviceSynchronize();
}
