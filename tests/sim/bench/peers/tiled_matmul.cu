// c = a b for n x n floats, 16 x 16 tiles: prints the CPU seconds that the launch takes, and a checksum.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int tile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int, char** arguments) {
  const int n = std::atoi(arguments[1]);
  const std::size_t bytes = sizeof(float) * n * n;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  float *on_device[3];
  for (auto& p : on_device) cudaMalloc(&p, bytes);
  cudaMemcpy(on_device[0], a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(on_device[1], b.data(), bytes, cudaMemcpyHostToDevice);
  const auto begin = std::clock();
  matmul<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(on_device[0], on_device[1], on_device[2], n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  cudaMemcpy(c.data(), on_device[2], bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const float value : c) sum += value;
  std::printf("%.9g %.17g\n", taken, sum);
}
