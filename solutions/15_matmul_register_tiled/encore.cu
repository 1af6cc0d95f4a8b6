// arch: sm_90a or any
#include <cmath>
#include <cstdint>

#include "../device/few_tiles.hpp"
#include "lab.hpp"
#include "plain.hpp"
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has nothing of this
#include "bulk.hpp"
#endif

// Where few large tiles would leave multiprocessors idle, smaller ones are faster.
void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const auto whole = [](int row, auto... pointers) {
    return row % 4 == 0 && ((reinterpret_cast<std::uintptr_t>(pointers) % 16 == 0) && ...);
  };
  const bool vectors = whole(p, b, c);
  const few_tiles::shape shape{n, m, p};
  const double tiles = double(few_tiles::divided(n, large_tiles::rows)) * few_tiles::divided(p, large_tiles::cols);
  few_tiles::plan large{1, std::ceil(tiles / few_tiles::multiprocessors()) * 0.2 * m};  // microseconds on an H200
#ifdef __CUDA_ARCH_LIST__
  const bool by_tma = large_tiles::bulk::exists<true>() && large_tiles::bulk::exists<false>();
  if (by_tma) large = few_tiles::plan_for(tiles, 0.166, shape);
#endif
  if (few_tiles::multiply(a, b, c, shape, vectors && whole(m, a), large.time)) return;
#ifdef __CUDA_ARCH_LIST__
  if (by_tma && large_tiles::bulk::launch(a, b, c, n, m, p, vectors, large.splits)) return;
#endif
  (vectors ? large_tiles::plain::launch<true> : large_tiles::plain::launch<false>)(a, b, c, n, m, p);
}

// The lab's first stages have launchers of their own.
void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
