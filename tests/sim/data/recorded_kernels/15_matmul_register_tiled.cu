#include "lab.hpp"

constexpr int side = 16;                     // a block has 16 x 16 threads
constexpr int row_fours = 2, col_fours = 4;  // a thread owns 2 x 4 patches of 4 x 4 elements of c
constexpr int rows = side * row_fours * 4;   // the block's tile: 128 rows ...
constexpr int cols = side * col_fours * 4;   // ... and 256 columns
constexpr int depth = 16;                    // of the tiles of a and b along their common dimension
constexpr int threads = side * side;
constexpr int a_loads = rows * depth / 4 / threads;  // vectors that each thread copies of a tile of a, and of b
constexpr int b_loads = depth * cols / 4 / threads;

struct tiles {
  float a[depth][rows + 4];  // transposed; four more columns keep the stores apart and the vectors aligned
  float b[depth][cols];
};

// Four neighbours of a row of a matrix, with zeros beyond its edges. A vector load needs an address that 16 divides,
// and so rows whose length is a multiple of four.
template <bool vectors>
__device__ float4 load_four(const float* matrix, int height, int width, int row, int col) {
  const float* at = matrix + size_t(row) * width + col;
  if constexpr (vectors) return row < height && col < width ? *reinterpret_cast<const float4*>(at) : float4{};
  float four[4] = {};
  for (int i = 0; i < 4; ++i) {
    if (row < height && col + i < width) four[i] = at[i];
  }
  return {four[0], four[1], four[2], four[3]};
}

// What a thread copies of the next two tiles, on its way from global to shared memory.
struct cargo {
  float4 a[a_loads], b[b_loads];

  template <bool vectors>
  __device__ void load(const float* from_a, const float* from_b, int n, int m, int p, int first) {
    for (int i = 0; i < a_loads; ++i) {
      const int v = threadIdx.x + i * threads;
      a[i] = load_four<vectors>(from_a, n, m, blockIdx.y * rows + v / (depth / 4), first + v % (depth / 4) * 4);
    }
    for (int i = 0; i < b_loads; ++i) {
      const int v = threadIdx.x + i * threads;
      b[i] = load_four<vectors>(from_b, m, p, first + v / (cols / 4), blockIdx.x * cols + v % (cols / 4) * 4);
    }
  }

  __device__ void store(tiles& to) const {
    for (int i = 0; i < a_loads; ++i) {
      const int v = threadIdx.x + i * threads, row = v / (depth / 4), k = v % (depth / 4) * 4;
      to.a[k][row] = a[i].x;
      to.a[k + 1][row] = a[i].y;
      to.a[k + 2][row] = a[i].z;
      to.a[k + 3][row] = a[i].w;
    }
    for (int i = 0; i < b_loads; ++i) {
      const int v = threadIdx.x + i * threads;
      *reinterpret_cast<float4*>(&to.b[v / (cols / 4)][v % (cols / 4) * 4]) = b[i];
    }
  }
};

// Each thread owns 8 x 16 elements of c, in patches of 4 x 4 that lie 64 rows and 64 columns apart, and keeps their
// sums in registers. While it multiplies one pair of tiles, its share of the next pair is under way.
template <bool vectors>
__global__ void __launch_bounds__(threads)
    matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  extern __shared__ float4 shared[];  // two pairs of tiles: more than a kernel may declare with a size
  tiles* buffers = reinterpret_cast<tiles*>(shared);

  const int x = threadIdx.x % side * 4;  // first column and row of the thread's first patch in the block's tile
  const int y = threadIdx.x / side * 4;

  float sums[row_fours * 4][col_fours * 4] = {};
  cargo next;
  next.load<vectors>(a, b, n, m, p, 0);
  next.store(buffers[0]);
  __syncthreads();  // the first pair is complete

  int current = 0;
  for (int first = 0; first < m; first += depth) {
    const bool more = first + depth < m;
    if (more) next.load<vectors>(a, b, n, m, p, first + depth);  // nobody waits for it before the store below

#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float from_a[row_fours * 4], from_b[col_fours * 4];
      for (int i = 0; i < row_fours; ++i)
        reinterpret_cast<float4*>(from_a)[i] = *reinterpret_cast<float4*>(&buffers[current].a[k][y + i * side * 4]);
      for (int j = 0; j < col_fours; ++j)
        reinterpret_cast<float4*>(from_b)[j] = *reinterpret_cast<float4*>(&buffers[current].b[k][x + j * side * 4]);
      for (int i = 0; i < row_fours * 4; ++i) {
        for (int j = 0; j < col_fours * 4; ++j) sums[i][j] += from_a[i] * from_b[j];
      }
    }

    if (more) next.store(buffers[1 - current]);  // all have finished reading it before the last barrier

    __syncthreads();  // the next pair is complete, and this one no longer needed
    current = 1 - current;
  }

  for (int i = 0; i < row_fours * 4; ++i) {
    const int row = blockIdx.y * rows + y + i / 4 * side * 4 + i % 4;
    for (int j = 0; j < col_fours; ++j) {
      const int col = blockIdx.x * cols + x + j * side * 4;
      float* at = c + size_t(row) * p + col;
      if (vectors) {
        if (row < n && col < p) *reinterpret_cast<float4*>(at) = *reinterpret_cast<float4*>(&sums[i][j * 4]);
      } else {
        for (int t = 0; t < 4; ++t) {
          if (row < n && col + t < p) at[t] = sums[i][j * 4 + t];
        }
      }
    }
  }
}

template <bool vectors>
void launch(const float* a, const float* b, float* c, int n, int m, int p) {
  constexpr int bytes = 2 * sizeof(tiles);
  cudaFuncSetAttribute(matmul_kernel<vectors>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 grid((p + cols - 1) / cols, (n + rows - 1) / rows);
  matmul_kernel<vectors><<<grid, threads, bytes>>>(a, b, c, n, m, p);
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  if (m % 4 == 0 && p % 4 == 0)
    launch<true>(a, b, c, n, m, p);
  else
    launch<false>(a, b, c, n, m, p);
}
