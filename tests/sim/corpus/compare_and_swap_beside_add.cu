// hazard: none
// One thread compares what it read before it changes the value, and the others add atomically.
__global__ void change(int* sum, int chosen) {
  if (threadIdx.x != chosen) {
    atomicAdd(sum, 1);
    return;
  }
  int old = *sum, expected;
  do {
    expected = old;
    old = atomicCAS(sum, expected, expected * 2);
  } while (old != expected);
}
int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  change<<<1, 64>>>(sum, 0);
  change<<<1, 64>>>(sum, 40);
  change<<<1, 64>>>(sum, 63);
  return cudaDeviceSynchronize();
}
