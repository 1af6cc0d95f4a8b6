// hazard: error missing_synchronization 34 0
#include <atomic>
#include <cstdio>
std::atomic<int> arrived = 0;
void CUDART_CB arrives(void* of) { arrived += *static_cast<int*>(of); }
void CUDART_CB arrives_too(cudaStream_t, cudaError_t, void* of) { arrived += static_cast<int*>(of)[3]; }
__global__ void fill(int* p, int value) { p[threadIdx.x] = value; }
int main() {
  int *page_locked, *managed, *device;
  cudaMallocHost(&page_locked, 256);
  cudaMallocManaged(&managed, 256);
  cudaMalloc(&device, 256);
  cudaMemset(device, 0, 256);
  cudaDeviceSynchronize();
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaMemcpyAsync(page_locked, device, 256, cudaMemcpyDeviceToHost, one);
  int steps = 1;
  cudaLaunchHostFunc(one, arrives, &steps);
  while (arrived < 1) {
  }
  int sum = page_locked[7];
  fill<<<1, 64, 0, two>>>(managed, 2);
  cudaStreamAddCallback(two, arrives_too, managed, 0);
  while (arrived < 3) {
  }
  sum += managed[9];
  // Work of a stream after its function, and of another stream, is still in flight.
  cudaStreamSynchronize(one);
  fill<<<1, 64, 0, one>>>(managed, 3);
  cudaLaunchHostFunc(two, arrives, &steps);
  std::printf("%d\n", sum);
  return managed[1] - 3;
}
