// hazard: error race 4 11
// A stream that does not block does not wait for the legacy stream, in which the fill runs.
__global__ void count(int* sum) {
  atomicAdd(sum, 1);
}
int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(sum, 0, sizeof(int));
  count<<<1, 64, 0, stream>>>(sum);
  return cudaDeviceSynchronize();
}
