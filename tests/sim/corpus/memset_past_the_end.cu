// hazard: error out_of_bounds 4 0
// A function of the C library in a kernel is traced as the accesses that it makes.
__global__ void clear(char* bytes, int n) {
  if (threadIdx.x == 0) memset(bytes, 0, n);
}
int main(int argc, char**) {
  char* bytes;
  cudaMalloc(&bytes, 64);
  clear<<<1, 32>>>(bytes, 64 + argc);
  return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
