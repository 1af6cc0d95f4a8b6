// hazard: error out_of_bounds 5 0
__device__ int table[50];
__global__ void put(int n) {
  int* p = table;
  p[n + threadIdx.x] = 1;
}
int main() {
  put<<<1, 32>>>(40);
  return cudaDeviceSynchronize() == cudaSuccess;
}
