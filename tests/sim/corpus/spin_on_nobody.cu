// hazard: error livelock 4 0
__global__ void waits(int* flag) {
  if (threadIdx.x == 0)
    while (atomicCAS(flag, 1, 2) != 1) __nanosleep(10);
}
int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  waits<<<1, 64>>>(flag);
  return cudaDeviceSynchronize() != cudaSuccess;
}
