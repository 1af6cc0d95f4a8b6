// Fast mode against the same loop nests in plain C++ at -O2 on as many threads; interleaved, medians.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int rows = 2000, columns = 5000, count = 10'000'000, tile_dim = 32, block_rows = 8, repeats = 15;

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

__global__ void transpose_naive(const int* in, int* out, int n, int m) {
  const int x = blockIdx.x * tile_dim + threadIdx.x, y = blockIdx.y * tile_dim + threadIdx.y;
  for (int j = 0; j < tile_dim; j += block_rows)
    if (x < m && y + j < n) out[x * n + y + j] = in[(y + j) * m + x];
}

__global__ void transpose_tiled(const int* in, int* out, int n, int m) {
  __shared__ int tile[tile_dim][tile_dim + 1];
  int x = blockIdx.x * tile_dim + threadIdx.x, y = blockIdx.y * tile_dim + threadIdx.y;
  for (int j = 0; j < tile_dim; j += block_rows)
    if (x < m && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * m + x];
  __syncthreads();
  x = blockIdx.y * tile_dim + threadIdx.x;
  y = blockIdx.x * tile_dim + threadIdx.y;
  for (int j = 0; j < tile_dim; j += block_rows)
    if (x < n && y + j < m) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A product of square matrices, a tile of A and of B at a time.
__global__ void multiply_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float s[tile_dim][tile_dim], t[tile_dim][tile_dim];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile_dim + y, column = blockIdx.x * tile_dim + x;
  float sum = 0;
  for (int k = 0; k < n; k += tile_dim) {
    s[y][x] = a[row * n + k + x];
    t[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile_dim; ++i) sum += s[y][i] * t[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <class Part>
void on_all_threads(int n, Part part) {
  const char* chosen = std::getenv("LAB_SIM_THREADS");
  const int threads = chosen ? std::atoi(chosen) : static_cast<int>(std::thread::hardware_concurrency());
  std::vector<std::thread> all;
  for (int t = 1; t < threads; ++t)
    all.emplace_back([=] { part(static_cast<int>(1LL * n * t / threads), static_cast<int>(1LL * n * (t + 1) / threads)); });
  part(0, n / threads);
  for (auto& t : all) t.join();
}

__attribute__((noinline)) void add_loop(const int* a, const int* b, int* out, int n) {
  on_all_threads(n, [=](int begin, int end) {
    for (int i = begin; i < end; ++i) out[i] = a[i] + b[i];
  });
}

__attribute__((noinline)) void transpose_loop(const int* in, int* out, int n, int m) {
  on_all_threads(n, [=](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < m; ++x) out[x * n + y] = in[y * m + x];
  });
}

__attribute__((noinline)) void multiply_loop(const float* a, const float* b, float* c, int n) {
  on_all_threads(n, [=](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < n; ++x) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
      }
  });
}

template <class Work>
double milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> v) {
  std::ranges::sort(v);
  return v[v.size() / 2];
}

template <class Kernel, class Loop>
void compare(const char* name, Kernel kernel, Loop loop) {
  std::vector<double> simulated, plain;
  for (int i = 0; i < repeats; ++i) {
    simulated.push_back(milliseconds(kernel));
    plain.push_back(milliseconds(loop));
  }
  std::printf("%-28s simulator %8.2f ms   plain C++ %8.2f ms   ratio %5.2f\n", name, median(simulated), median(plain),
              median(simulated) / median(plain));
}

int main() {
  int *a, *b, *c;
  for (int** p : {&a, &b, &c}) {
    cudaMalloc(p, count * sizeof(int));
    cudaMemset(*p, 1, count * sizeof(int));
  }
  std::vector<int> x(count, 1), y(count, 1), z(count, 1);
  const dim3 grid((columns + tile_dim - 1) / tile_dim, (rows + tile_dim - 1) / tile_dim), block(tile_dim, block_rows);
  compare("vector add 10^7", [&] { add<<<(count + 255) / 256, 256>>>(a, b, c, count); },
          [&] { add_loop(x.data(), y.data(), z.data(), count); });
  compare("transpose naive 2000x5000", [&] { transpose_naive<<<grid, block>>>(a, c, rows, columns); },
          [&] { transpose_loop(x.data(), z.data(), rows, columns); });
  compare("transpose tiled 2000x5000", [&] { transpose_tiled<<<grid, block>>>(a, c, rows, columns); },
          [&] { transpose_loop(x.data(), z.data(), rows, columns); });
  constexpr int n = 512;
  float* const f = reinterpret_cast<float*>(a);
  float* const g = reinterpret_cast<float*>(x.data());
  compare("product tiled 512x512", [&] { multiply_tiled<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(f, f, f + n * n, n); },
          [&] { multiply_loop(g, g, g + n * n, n); });
  std::printf("a launch of one empty block   %8.4f ms\n", [&] {
    std::vector<double> times;
    for (int i = 0; i < 101; ++i) times.push_back(milliseconds([&] { add<<<1, 1>>>(a, b, c, 0); }));
    return median(times);
  }());
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
