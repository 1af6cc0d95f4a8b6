#include <cstdint>

#include "lab.hpp"

// The simplest kernel with wide accesses: a thread adds one int4. What is no whole int4, one thread adds alone; arrays
// that do not begin at 16 bytes have no int4 at all.
__global__ void add_one_vector(const int* a, const int* b, int* out, int vectors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < vectors) {
    const int4 x = reinterpret_cast<const int4*>(a)[i], y = reinterpret_cast<const int4*>(b)[i];
    reinterpret_cast<int4*>(out)[i] = make_int4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else if (const int rest = 4 * vectors + (i - vectors); rest < n) {
    out[rest] = a[rest] + b[rest];
  }
}

void vector_add(const int* a, const int* b, int* out, int n) {
  constexpr int block_size = 256;
  const auto addresses = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                         reinterpret_cast<std::uintptr_t>(out);
  const int vectors = addresses % sizeof(int4) == 0 ? n / 4 : 0, threads = vectors + (n - 4 * vectors);
  add_one_vector<<<(threads + block_size - 1) / block_size, block_size>>>(a, b, out, vectors, n);
}
