// How fast a traced program runs, with races and values checked, and how much memory that takes. Build with --trace.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

constexpr int tile_dim = 32, block_rows = 8, tile = 16, repeats = 5;

__global__ void transpose_padded(const int* in, int* out, int n, int m) {
  __shared__ int shared[tile_dim][tile_dim + 1];
  int x = blockIdx.x * tile_dim + threadIdx.x, y = blockIdx.y * tile_dim + threadIdx.y;
  for (int j = 0; j < tile_dim; j += block_rows)
    if (x < m && y + j < n) shared[threadIdx.y + j][threadIdx.x] = in[(y + j) * m + x];
  __syncthreads();
  x = blockIdx.y * tile_dim + threadIdx.x;
  y = blockIdx.x * tile_dim + threadIdx.y;
  for (int j = 0; j < tile_dim; j += block_rows)
    if (x < n && y + j < m) out[(y + j) * n + x] = shared[threadIdx.x][threadIdx.y + j];
}

__global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
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

template <class Launch>
void measure(const char* name, double accesses, Launch launch) {
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::clock();  // of this process, so that others on the machine do not count
    launch();
    seconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::ranges::sort(seconds);
  std::printf("%-24s %6.1f million accesses/s (median of %d; best %.1f)\n", name, accesses / seconds[repeats / 2] / 1e6,
              repeats, accesses / seconds[0] / 1e6);
}

double megabytes_resident() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.;
}

int main() {
  const int n = 256, rows = 2048, columns = 2048;
  const double idle = megabytes_resident();
  int *in, *out;
  cudaMalloc(&in, rows * columns * sizeof(int));
  cudaMalloc(&out, rows * columns * sizeof(int));
  cudaMemset(in, 0, rows * columns * sizeof(int));
  const dim3 grid(columns / tile_dim, rows / tile_dim), block(tile_dim, block_rows);
  measure("transpose padded 2048^2", 4. * rows * columns,
          [&] { transpose_padded<<<grid, block>>>(in, out, rows, columns); });
  const double touched = 2. * rows * columns * sizeof(int) / (1 << 20), grown = megabytes_resident() - idle;
  float *a = reinterpret_cast<float*>(in), *b = a + n * n, *c = reinterpret_cast<float*>(out);
  measure("matmul tiled 256^3", 2. * n * n * n + 4. * n * n * n / tile + n * n,
          [&] { matmul_tiled<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n); });
  std::printf("memory: %.0f MB for %.0f MB of device memory touched: %.1f bytes for each\n", grown, touched,
              grown / touched);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
