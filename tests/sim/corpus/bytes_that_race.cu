// hazard: error race 7 9
// hazard: error race 14 15
__global__ void word_of_bytes(unsigned* sum) {
  __shared__ __align__(4) unsigned char bytes[128];
  if (threadIdx.x < 32) reinterpret_cast<unsigned*>(bytes)[threadIdx.x] = 0;
  __syncthreads();
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  // no barrier
  sum[threadIdx.x] = reinterpret_cast<unsigned*>(bytes)[(threadIdx.x / 4 + 16) % 32];
}
__global__ void neighbour(char* all) {
  // Threads 31 and 32 belong to different warps.
  const char own = static_cast<char>(threadIdx.x);
  all[threadIdx.x] = own;
  if (threadIdx.x == 31) all[100] = all[32];
}
int main() {
  unsigned* sum;
  char* out;
  cudaMalloc(&sum, 512);
  cudaMalloc(&out, 512);
  cudaMemset(out, 0, 512);
  word_of_bytes<<<1, 128>>>(sum);
  neighbour<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
