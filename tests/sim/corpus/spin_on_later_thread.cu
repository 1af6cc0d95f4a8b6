// hazard: none
__global__ void handshake(int* flag) {
  if (threadIdx.x == 0)
    while (atomicCAS(flag, 1, 2) != 1) {
    }
  if (threadIdx.x == 64) atomicExch(flag, 1);
}
int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  handshake<<<1, 96>>>(flag);
  return cudaDeviceSynchronize();
}
