#include <cstdio>

// Loops of one kernel each: `labcc` lets the threads of a block take turns in them, or must not.

struct pair {
  unsigned char first, second;
};

template <class T>
__global__ void copy(T* out, const T* in, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) out[i] = in[i];
}
__global__ void sum(int* out, const int* in, size_t n) {
  int total = 0;
  int2 ends = make_int2(-1, -1);
  out += blockIdx.x * blockDim.x;
  n -= 1;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += size_t(blockDim.x) * gridDim.x) {
    total += in[i];
    ends = make_int2(ends.x < 0 ? int(i) : ends.x, int(i));
  }
  out[threadIdx.x] = total + ends.y - ends.x;
}
__global__ void wraps(int* out) {
  out[threadIdx.x] = 0;
  for (unsigned i = 0xffffff10u + threadIdx.x; i >= 0xffffff10u || i < 7; i += blockDim.x)
    out[threadIdx.x] += 1 + (i < 7);
}
__global__ void changes(int* out, int n) {
  int limit = n - threadIdx.x % 3;
  for (int i = threadIdx.x; i < limit; i += blockDim.x) {
    if (i % 5 == 0) i += 64;
    if (i >= n) limit = 0;
    if (i < n) out[i] += 1 + limit;
  }
  out[threadIdx.x] += limit;
}
__global__ void rows(int* out, int n) {
  for (int y = threadIdx.y; y < n; y += blockDim.y)
    for (int x = threadIdx.x; x < n; x += blockDim.x) out[y * n + x] += y * 100 + x;
}
__global__ void scattered(int* out, int n) {
  __shared__ int s[64];
  for (int i = threadIdx.x * 7 % blockDim.x; i < 64; i += blockDim.x) s[i] = i;
  __syncthreads();
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = threadIdx.x - 40; i < n; i += blockDim.x)
      if (i >= 0) out[i] += s[63 - i % 64];
    __syncthreads();
  }
}
__global__ void leaves(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (i % 3 == 0) continue;
    if (i % 7 == 0) break;
    out[i] += i;
  }
  if (threadIdx.x % 2) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] += 1;
}
#define STOP_AT(i, last) \
  if (i == last) return
__global__ void leaves_by_macro(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    STOP_AT(i, 70);
    out[i] += i;
  }
}
__global__ void one_place(int* out, const int* in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (in[i] % 9 == 4) *out = i;
}

unsigned printed(const char* name, int* p) {
  const cudaError_t e = cudaDeviceSynchronize();
  unsigned hash = 0;
  for (int i = 0; i < 1000; ++i) hash = hash * 31 + unsigned(p[i]), p[i] = 0;
  std::printf("%s %u%s", name, hash % 1000, e ? cudaGetErrorName(e) : "\n");
  return hash;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1000 * sizeof(int));
  cudaMallocManaged(&out, 1000 * sizeof(int));
  for (int i = 0; i < 1000; ++i) in[i] = i * 37 % 101, out[i] = 0;
  copy<<<3, 64>>>(out, in, 999);
  printed("words", out);
  copy<<<2, 96>>>(reinterpret_cast<pair*>(out), reinterpret_cast<const pair*>(in), 1555);
  printed("pairs", out);
  copy<<<2, 33>>>(reinterpret_cast<char*>(out), reinterpret_cast<const char*>(in), 1777);
  printed("bytes", out);
  sum<<<2, 64>>>(out, in, 1000);
  printed("sum", out);
  wraps<<<1, 64>>>(out);
  printed("wraps", out);
  changes<<<1, 64>>>(out, 900);
  printed("changes", out);
  rows<<<1, dim3(8, 4)>>>(out, 30);
  printed("rows", out);
  scattered<<<1, 48>>>(out, 1000);
  printed("scattered", out);
  leaves<<<1, 64>>>(out, 1000);
  printed("leaves", out);
  leaves_by_macro<<<1, 64>>>(out, 1000);
  printed("macro", out);
  one_place<<<1, 1>>>(out, in, 1000);
  printed("place", out);
}
// prints: words 210
// prints: pairs 206
// prints: bytes 570
// prints: sum 420
// prints: wraps 782
// prints: changes 32
// prints: rows 594
// prints: scattered 8
// prints: leaves 844
// prints: macro 46
// prints: place 337
