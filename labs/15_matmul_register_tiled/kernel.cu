#include "lab.hpp"

constexpr int side = 16;              // a block has 16 x 16 threads, in one dimension
constexpr int threads = side * side;  // a thread owns patches of 4 x 4 elements of c
constexpr int apart = side * 4;       // columns or rows from the beginning of one of its patches to that of the next
constexpr int depth = 16;             // of the tiles of a and b along their common dimension

// The tiles of a and b for a block whose threads own high x wide patches: one in stages 1 and 2, 2 x 4 in stage 3.
template <int high, int wide>
struct tiles {
  static constexpr int rows = high * apart, cols = wide * apart;
  float a[depth][rows + 4];  // transposed; four more columns keep the stores apart and the vectors aligned
  float b[depth][cols];
};

// Four neighbours of a row of a matrix, with zeros beyond its edges. A vector load needs an address that 16 divides,
// and so rows whose length is a multiple of four; the launcher sets `vectors` for these.
template <bool vectors>
__device__ float4 load_four(const float* matrix, int height, int width, int row, int col) {
  const float* at = matrix + size_t(row) * width + col;
  // TODO: stage 1. If `vectors`, load all four as one float4, or return zeros if they are outside the matrix.
  float four[4] = {};
  for (int i = 0; i < 4; ++i) {
    if (row < height && col + i < width) four[i] = at[i];
  }
  return {four[0], four[1], four[2], four[3]};
}

// A thread's share of both tiles, in registers on its way from global to shared memory.
template <bool vectors, int high, int wide>
struct share {
  using pair = tiles<high, wide>;
  static constexpr int a_loads = pair::rows * depth / 4 / threads, b_loads = depth * pair::cols / 4 / threads;
  float4 a[a_loads], b[b_loads];

  __device__ void load(const float* from_a, const float* from_b, int n, int m, int p, int first) {
    for (int i = 0; i < a_loads; ++i) {
      const int v = threadIdx.x + i * threads, row = v / (depth / 4), k = v % (depth / 4) * 4;
      a[i] = load_four<vectors>(from_a, n, m, blockIdx.y * pair::rows + row, first + k);
    }
    for (int i = 0; i < b_loads; ++i) {
      const int v = threadIdx.x + i * threads, k = v / (pair::cols / 4), col = v % (pair::cols / 4) * 4;
      b[i] = load_four<vectors>(from_b, m, p, first + k, blockIdx.x * pair::cols + col);
    }
  }

  __device__ void store(pair& to) const {
    for (int i = 0; i < a_loads; ++i) {
      const int v = threadIdx.x + i * threads, row = v / (depth / 4), k = v % (depth / 4) * 4;
      to.a[k][row] = a[i].x;
      to.a[k + 1][row] = a[i].y;
      to.a[k + 2][row] = a[i].z;
      to.a[k + 3][row] = a[i].w;
    }
    for (int i = 0; i < b_loads; ++i) {
      const int v = threadIdx.x + i * threads, k = v / (pair::cols / 4), col = v % (pair::cols / 4) * 4;
      *reinterpret_cast<float4*>(&to.b[k][col]) = b[i];
    }
  }
};

// Stage 1: a thread's four factors from row k of a tile, which begin at `from`, an address that 16 divides.
__device__ void read_factors(float (&to)[4], const float* from) {
  for (int i = 0; i < 4; ++i) to[i] = from[i];  // TODO: stage 1. Read all four as one float4.
}

// Stage 3: its factors for several patches; those of the first begin at `from`.
template <int count>
__device__ void read_factors(float (&to)[count], const float* from) {
  // TODO: stage 3. Read a float4 for each of the count / 4 patches, which begin `apart` floats from each other.
}

// Stores the thread's sums in c. Its first patch begins at row y and column x of the block's tile.
template <bool vectors, int height, int width>
__device__ void store_sums(const float (&sums)[height][width], float* c, int n, int p, int y, int x) {
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; j += 4) {
      const int row = blockIdx.y * side * height + y + i;  // TODO: stage 3. Row i belongs to patch i / 4,
      const int col = blockIdx.x * side * width + x + j;  // TODO: and column j to patch j / 4.
      float* at = c + size_t(row) * p + col;
      if (vectors) {
        if (row < n && col < p) *reinterpret_cast<float4*>(at) = *reinterpret_cast<const float4*>(&sums[i][j]);
      } else {
        for (int t = 0; t < 4; ++t) {
          if (row < n && col + t < p) at[t] = sums[i][j + t];
        }
      }
    }
  }
}

// Stage 1: lab 13's kernel. Its threads own 4 x 4 neighbours, so that they can load and read four at a time.
template <bool vectors>
__global__ void __launch_bounds__(threads)
    vectors_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ tiles<1, 1> pair;
  const int x = threadIdx.x % side * 4, y = threadIdx.x / side * 4;

  float sums[4][4] = {};
  share<vectors, 1, 1> mine;
  for (int first = 0; first < m; first += depth) {
    mine.load(a, b, n, m, p, first);
    mine.store(pair);
    __syncthreads();  // no thread reads the tiles before they are complete
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float from_a[4], from_b[4];
      read_factors(from_a, &pair.a[k][y]);
      read_factors(from_b, &pair.b[k][x]);
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] += from_a[i] * from_b[j];
      }
    }
    __syncthreads();  // no thread overwrites these tiles before all have read them
  }
  store_sums<vectors>(sums, c, n, p, y, x);
}

void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 grid((p + apart - 1) / apart, (n + apart - 1) / apart);
  if (m % 4 == 0 && p % 4 == 0)
    vectors_kernel<true><<<grid, threads>>>(a, b, c, n, m, p);
  else
    vectors_kernel<false><<<grid, threads>>>(a, b, c, n, m, p);
}

// Stage 2: while the block multiplies one pair of tiles, the threads' shares of the next pair are on their way.
// Stage 3 launches this kernel with 2 x 4 patches a thread.
template <bool vectors, int high, int wide>
__global__ void __launch_bounds__(threads)
    matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  extern __shared__ float4 shared[];  // two pairs of tiles: in stage 3 more than a kernel may declare with a size
  tiles<high, wide>* buffers = reinterpret_cast<tiles<high, wide>*>(shared);
  const int x = threadIdx.x % side * 4, y = threadIdx.x / side * 4;

  float sums[high * 4][wide * 4] = {};
  share<vectors, high, wide> mine;
  int current = 0;  // the buffer with the tiles of this round
  for (int first = 0; first < m; first += depth) {
    mine.load(a, b, n, m, p, first);  // TODO: stage 2. Load the first pair before the loop, and here the next one.
    mine.store(buffers[current]);     // TODO: store the next pair after the products, in the other buffer.
    __syncthreads();                  // TODO: now one barrier a round is enough, at its end.
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float from_a[high * 4], from_b[wide * 4];
      read_factors(from_a, &buffers[current].a[k][y]);
      read_factors(from_b, &buffers[current].b[k][x]);
      for (int i = 0; i < high * 4; ++i) {
        for (int j = 0; j < wide * 4; ++j) sums[i][j] += from_a[i] * from_b[j];
      }
    }
    __syncthreads();  // no thread overwrites these tiles before all have read them
  }
  store_sums<vectors>(sums, c, n, p, y, x);
}

template <bool vectors, int high, int wide>
void launch(const float* a, const float* b, float* c, int n, int m, int p) {
  using pair = tiles<high, wide>;
  constexpr int bytes = 2 * sizeof(pair);
  cudaFuncSetAttribute(matmul_kernel<vectors, high, wide>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 grid((p + pair::cols - 1) / pair::cols, (n + pair::rows - 1) / pair::rows);
  matmul_kernel<vectors, high, wide><<<grid, threads, bytes>>>(a, b, c, n, m, p);
}

void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p) {
  if (m % 4 == 0 && p % 4 == 0)
    launch<true, 1, 1>(a, b, c, n, m, p);
  else
    launch<false, 1, 1>(a, b, c, n, m, p);
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  if (m % 4 == 0 && p % 4 == 0)
    launch<true, 2, 4>(a, b, c, n, m, p);
  else
    launch<false, 2, 4>(a, b, c, n, m, p);
}
