// hazard: error race 4 4
__device__ int counter;
__global__ void count() {
  ++counter;
}
int main() {
  count<<<1, 64>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
