// Which lane holds which element of a fragment, as on compute capability 8.0 and later.
// prints: half a: lane 5: 18 19 146 147 26 27 154 155 | 18 19 146 147 26 27 154 155
// prints: half b: lane 5: 33 49 161 177 41 57 169 185 | 33 49 161 177 41 57 169 185
// prints: sums: lane 5: 18 19 146 147 26 27 154 155
// prints: tf32 a: lane 5: 9 73 13 77
// prints: tf32 b: lane 5: 17 81 25 89
// prints: double a: lane 5: 5
// prints: double b: lane 5: 9
// prints: int8 a: lane 5: 20 21 22 23 148 149 150 151
// prints: ldmatrix: lane 5: 10 11 74 75
// prints: transposed: lane 5: 17 25 81 89
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <class Fragment>
__device__ void show(const char* name, const Fragment& f, int half) {
  if (threadIdx.x != 5) return;
  printf("%s: lane 5:", name);
  for (int i = 0; i < f.num_elements; ++i) printf("%s %d", i == half ? " |" : "", int(float(f.x[i])));
  printf("\n");
}

template <class T>
__device__ T* numbers(T* memory, int count) {
  for (int i = threadIdx.x; i < count; i += 32) memory[i] = T(i);
  __syncwarp();
  return memory;
}

__global__ void layouts() {
  __shared__ __align__(32) half h[256];
  __shared__ __align__(32) float f[256];
  __shared__ __align__(32) double d[32];
  __shared__ __align__(32) signed char c[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> ha;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> hb;
  wmma::load_matrix_sync(ha, numbers(h, 256), 16);
  wmma::load_matrix_sync(hb, h, 16);
  show("half a", ha, 8);
  show("half b", hb, 8);
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::load_matrix_sync(sums, numbers(f, 256), 16, wmma::mem_row_major);
  show("sums", sums, -1);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ta;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> tb;
  wmma::load_matrix_sync(ta, f, 8);
  wmma::load_matrix_sync(tb, f, 16);
  show("tf32 a", ta, -1);
  show("tf32 b", tb, -1);
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> db;
  wmma::load_matrix_sync(da, numbers(d, 32), 4);
  wmma::load_matrix_sync(db, d, 8);
  show("double a", da, -1);
  show("double b", db, -1);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ca;
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = i % 128;
  __syncwarp();
  wmma::load_matrix_sync(ca, c, 16);
  for (int i = 4; i < 8; ++i) ca.x[i] = ca.x[i];
  if (threadIdx.x == 5) {
    printf("int8 a: lane 5:");
    for (int i = 0; i < 8; ++i) printf(" %d", ca.x[i] + 128 * (i / 4));
    printf("\n");
  }
  unsigned r[2];
  const half* const row = &h[threadIdx.x % 16 * 8];
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"((unsigned)__cvta_generic_to_shared(row)));
  const half* e = reinterpret_cast<const half*>(r);
  if (threadIdx.x == 5)
    printf("ldmatrix: lane 5: %d %d %d %d\n", int(float(e[0])), int(float(e[1])), int(float(e[2])), int(float(e[3])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"((unsigned)__cvta_generic_to_shared(row)));
  if (threadIdx.x == 5)
    printf("transposed: lane 5: %d %d %d %d\n", int(float(e[0])), int(float(e[1])), int(float(e[2])), int(float(e[3])));
}

int main() {
  layouts<<<1, 32>>>();
  cudaDeviceSynchronize();
}
