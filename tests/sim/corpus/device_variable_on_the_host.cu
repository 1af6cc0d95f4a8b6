// hazard: error device_pointer 9 0
// The managed variable is stored between two others, and host code may use it.
__device__ int counter = 1;
__managed__ int shared_counter = 2;
__device__ int last = 3;
__global__ void count() { atomicAdd(&counter, last); }
int main() {
  count<<<1, 64>>>(), cudaDeviceSynchronize();
  const int counted = counter;
  return counted + shared_counter == 1000;
}
