// Products of every shape and type of fragment, and of mma.sync, equal sums of exact integers.
// prints: half 16x16x16 1, 32x8x16 1, 8x32x16 1, half sums 1
// prints: bfloat16 16x16x16 1, 32x8x16 1, 8x32x16 1
// prints: int8 16x16x16 1, 32x8x16 1, 8x32x16 1, uint8 1, tf32 1, double 1
// prints: mma 1, copies 7 8 9 0
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

__device__ bool all_equal(bool same) { return __all_sync(~0u, same); }

template <class T, class Sum, int m, int n, int k, class Stored = T>
__device__ bool right() {
  __shared__ __align__(32) Stored a[m * k], b[k * n];
  __shared__ __align__(32) Sum c[m * n];
  __syncwarp();
  for (int i = threadIdx.x; i < m * k; i += 32) a[i] = Stored(i % 7);
  for (int i = threadIdx.x; i < k * n; i += 32) b[i] = Stored(i % 5);
  for (int i = threadIdx.x; i < m * n; i += 32) c[i] = Sum(i % 3);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
  wmma::load_matrix_sync(fa, a, k);
  wmma::load_matrix_sync(fb, b, k);
  wmma::load_matrix_sync(sums, c, n, wmma::mem_row_major);
  wmma::mma_sync(sums, fa, fb, sums);
  for (auto& x : sums.x) x = x + Sum(1);
  __syncwarp();
  wmma::store_matrix_sync(c, sums, m, wmma::mem_col_major);
  __syncwarp();
  bool same = true;
  for (int i = threadIdx.x; i < m * n; i += 32) {
    int sum = i % 3 + 1;
    for (int j = 0; j < k; ++j) sum += (i / n * k + j) % 7 * ((i % n * k + j) % 5);
    same = same && float(c[i % n * m + i / n]) == float(sum);
  }
  return all_equal(same);
}

// One product of 16 x 8 x 16 in the layout of the PTX ISA: a is the identity, so d = b + c.
__device__ bool mma_adds() {
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  unsigned a[4], b[2];
  float d[4], c[4] = {1, 1, 1, 1};
  __nv_bfloat16 *ea = reinterpret_cast<__nv_bfloat16*>(a), *eb = reinterpret_cast<__nv_bfloat16*>(b);
  for (int i = 0; i < 8; ++i) {
    const int row = group + i / 2 % 2 * 8, col = in_group * 2 + i % 2 + i / 4 * 8;
    ea[i] = __float2bfloat16(row == col ? 1.f : 0.f);
  }
  for (int i = 0; i < 4; ++i) eb[i] = __float2bfloat16(float((in_group * 2 + i % 2 + i / 2 * 8) * 8 + group));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};\n"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  bool same = true;
  for (int i = 0; i < 4; ++i) same = same && d[i] == float((group + i / 2 * 8) * 8 + in_group * 2 + i % 2 + 1);
  return all_equal(same);
}

__global__ void products() {
  const bool half_sums = right<half, half, 16, 16, 16>();
  const bool h0 = right<half, float, 16, 16, 16>(), h1 = right<half, float, 32, 8, 16>(),
             h2 = right<half, float, 8, 32, 16>();
  const bool b0 = right<__nv_bfloat16, float, 16, 16, 16>(), b1 = right<__nv_bfloat16, float, 32, 8, 16>(),
             b2 = right<__nv_bfloat16, float, 8, 32, 16>();
  const bool i0 = right<signed char, int, 16, 16, 16>(), i1 = right<signed char, int, 32, 8, 16>(),
             i2 = right<signed char, int, 8, 32, 16>(), u = right<unsigned char, int, 16, 16, 16>();
  const bool t = right<wmma::precision::tf32, float, 16, 16, 8, float>(), d = right<double, double, 8, 8, 4>();
  const bool m = mma_adds();
  if (threadIdx.x > 0) return;
  printf("half 16x16x16 %d, 32x8x16 %d, 8x32x16 %d, half sums %d\n", h0, h1, h2, half_sums);
  printf("bfloat16 16x16x16 %d, 32x8x16 %d, 8x32x16 %d\n", b0, b1, b2);
  printf("int8 16x16x16 %d, 32x8x16 %d, 8x32x16 %d, uint8 %d, tf32 %d, double %d\n", i0, i1, i2, u, t, d);
  printf("mma %d, ", m);
}

// A copy with a condition, and one that fills with zeros.
__global__ void copies(const int* from) {
  __shared__ __align__(16) int to[4];
  to[0] = to[1] = to[2] = to[3] = 1;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int wanted = 1;
  asm volatile(
      "{\n"
      "  .reg .pred p;\n"
      "  setp.ne.b32 p, %0, 0;\n"
      "  @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3, %4;\n"
      "}\n" ::"r"(wanted),
      "r"(at), "l"(from), "n"(16), "r"(12));
  asm volatile("cp.async.commit_group;\n" ::: "memory");
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0) : "memory");
  printf("copies %d %d %d %d\n", to[0], to[1], to[2], to[3]);
}

int main() {
  products<<<1, 32>>>();
  int *from, values[4] = {7, 8, 9, 10};
  cudaMalloc(&from, sizeof values);
  cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
  copies<<<1, 1>>>(from);
  cudaDeviceSynchronize();
  cudaFree(from);
}
