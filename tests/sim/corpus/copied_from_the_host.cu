// hazard: none
#include <vector>
__global__ void twice(int* d, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) d[i] *= 2;
}
int main() {
  std::vector<int> h(100, 1);
  int* d;
  cudaMalloc(&d, 400);
  cudaMemcpy(d, h.data(), 400, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(d, 100);
  cudaMemcpy(h.data(), d, 400, cudaMemcpyDeviceToHost);
  return h[99] == 2 ? 0 : 1;
}
