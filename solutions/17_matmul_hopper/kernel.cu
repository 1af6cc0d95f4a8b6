// arch: sm_90a
#include <algorithm>

#include "../device/hopper.hpp"
#include "../device/whole_vectors.hpp"
#include "lab.hpp"

using hopper::barrier;

constexpr int rows = 128, cols = 256;  // a block computes tiles of c of 128 x 256 elements,
constexpr int depth = 64;              // from tiles of a and b, 64 elements along their common dimension:
constexpr int box = 64;                // 64 elements of bf16 are 128 bytes, the widest row that TMA swizzles
constexpr int stages = 4;              // pairs of tiles in shared memory
constexpr int group = 128;             // threads of a warpgroup
constexpr int consumers = 2;           // warpgroups that multiply, 64 rows each; one more loads
constexpr int threads = group * (1 + consumers);
constexpr int band = 16;  // rows of tiles whose tiles are computed one after the other

struct tiles {
  unsigned short a[rows][depth];             // row i of a's tile, 128 bytes
  unsigned short b[cols / box][depth][box];  // four boxes side by side: row k of each has 64 columns, 128 bytes
};

struct ring {
  tiles stage[stages];
  barrier full[stages], empty[stages];
};

// A place in the ring, and the parity of the round.
struct place {
  int stage = 0;
  unsigned round = 0;

  __device__ void advance() {
    if (++stage == stages) stage = 0, round ^= 1;
  }
};

struct problem {
  float* c;
  int n, m, p;

  __host__ __device__ int tile_rows() const { return (n + rows - 1) / rows; }
  __host__ __device__ int tile_cols() const { return (p + cols - 1) / cols; }
  __host__ __device__ int tile_count() const { return tile_rows() * tile_cols(); }
};

struct corner {
  int row, col;  // of a tile's first element in c
};

// The tiles' order: down the 16 tiles of a column, then the next column. So the tiles that are computed at the same
// time share rows of a and columns of b, and L2 serves them.
__device__ corner corner_of(int tile, const problem& s) {
  const int first = tile / (band * s.tile_cols()) * band, height = min(band, s.tile_rows() - first);
  const int within = tile - first * s.tile_cols();
  return {(first + within % height) * rows, within / height * cols};
}

// One thread of the block: it keeps the ring filled, for all tiles of the block.
__device__ void produce(ring& shared, const CUtensorMap& a, const CUtensorMap& b, const problem& s) {
  place at;
  for (int tile = blockIdx.x; tile < s.tile_count(); tile += gridDim.x) {
    const auto [row, col] = corner_of(tile, s);
    for (int k = 0; k < s.m; k += depth) {
      shared.empty[at.stage].wait(at.round ^ 1);  // the consumers are done with what the stage held a round ago
      auto& full = shared.full[at.stage];
      auto& to = shared.stage[at.stage];
      full.arrive_expecting(sizeof(tiles));
      hopper::load_box(to.a, a, row, k, full);
      for (int j = 0; j < cols / box; ++j) hopper::load_box(to.b[j], b, k, col + j * box, full);
      at.advance();
    }
  }
}

// Adds the product of 64 rows of a stage's tile of a and its tile of b.
__device__ void multiply(float (&sums)[128], const tiles& from, int first_row) {
  hopper::begin_products();
  for (int k = 0; k < depth; k += 16) {
    // Eight rows of a's tile are 1024 bytes. In b's, eight k are 1024 bytes, and the next 64 columns are the next box.
    const auto a = hopper::operand(&from.a[first_row][k], 16, 1024);
    const auto b = hopper::operand(&from.b[0][k][0], sizeof(from.b[0]), 1024);
    hopper::multiply_64x256x16<true>(sums, a, b);
  }
  hopper::end_products();
}

// Stores a warpgroup's 64 x 256 sums. A thread has pairs of neighbours; it swaps every other pair with the thread
// beside it, so that both have four.
__device__ void store(float (&sums)[128], const problem& s, corner at) {
  const int lane = threadIdx.x % 32, odd = lane % 2;
  for (int i = 0; i < 128; i += 8) {
    for (int half = 0; half < 2; ++half) {
      const float *left = &sums[i + 2 * half], *right = left + 4;
      const float2 mine = odd ? float2{right[0], right[1]} : float2{left[0], left[1]};
      const float2 given = odd ? float2{left[0], left[1]} : float2{right[0], right[1]};
      const float2 got{__shfl_xor_sync(~0u, given.x, 1), __shfl_xor_sync(~0u, given.y, 1)};
      const float4 four = odd ? float4{got.x, got.y, mine.x, mine.y} : float4{mine.x, mine.y, got.x, got.y};
      const int row = at.row + threadIdx.x % group / 32 * 16 + lane / 4 + 8 * half;
      const int col = at.col + (i / 4 + odd) * 8 + lane % 4 / 2 * 4;
      if (row < s.n && col < s.p) __stcs(reinterpret_cast<float4*>(&s.c[size_t(row) * s.p + col]), four);
    }
  }
}

// A warpgroup that multiplies: it computes 64 rows of each of the block's tiles.
__device__ void consume(ring& shared, const problem& s, int first_row) {
  place at;
  for (int tile = blockIdx.x; tile < s.tile_count(); tile += gridDim.x) {
    float sums[128] = {};
    int before = 0;  // the stage before this one
    for (int k = 0; k < s.m; k += depth) {
      shared.full[at.stage].wait(at.round);  // TMA has brought both tiles
      multiply(sums, shared.stage[at.stage], first_row);
      hopper::wait_for_products<1>();  // all but the products just begun
      if (k > 0 && threadIdx.x % group == 0) shared.empty[before].arrive();
      before = at.stage;
      at.advance();
    }
    hopper::wait_for_products<0>();
    if (threadIdx.x % group == 0) shared.empty[before].arrive();
    hopper::settle(sums);
    const auto [row, col] = corner_of(tile, s);
    store(sums, s, {row + first_row, col});
  }
}

// As many blocks as multiprocessors; each computes a tile, then the one so many further on. The first
// warpgroup loads and the others multiply, at the same time.
__global__ void __launch_bounds__(threads, 1)
    matmul_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, problem s) {
  extern __shared__ char memory[];
  ring& shared = *reinterpret_cast<ring*>((reinterpret_cast<std::uintptr_t>(memory) + 1023) / 1024 * 1024);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      shared.full[i].init(1);           // the producer arrives, and TMA's bytes
      shared.empty[i].init(consumers);  // one thread of each consumer arrives
    }
    hopper::publish_barriers();
  }
  __syncthreads();

  const int role = threadIdx.x / group;
  if (role == 0) {
    hopper::shrink_to<40>();
    if (threadIdx.x == 0) produce(shared, a, b, s);
  } else {
    hopper::grow_to<232>();
    consume(shared, s, (role - 1) * 64);
  }
}

// TMA takes only matrices whose rows begin at multiples of 16 bytes: m and p are multiples of 8.
void launch(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  constexpr int bytes = sizeof(ring) + 1024;  // it begins at a multiple of 1024 bytes
  static const int multiprocessors = [] {
    int device = 0, count = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    cudaFuncSetAttribute(matmul_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    return count;
  }();
  const problem s{c, n, m, p};
  matmul_kernel<<<std::min(s.tile_count(), multiprocessors), threads, bytes>>>(hopper::tensor_map(a, n, m, rows),
                                                                               hopper::tensor_map(b, m, p, depth), s);
}

void matmul_bf16(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  whole_vectors::matmul(launch, a, b, c, n, m, p);
}
