// hazard: error device_pointer 8 0
__device__ int counter;
__global__ void count() { atomicAdd(&counter, 1); }
__managed__ int shared_counter = 2;
int main() {
  count<<<1, 64>>>();
  cudaDeviceSynchronize();
  const int counted = counter;
  return counted + shared_counter == 1000;
}
