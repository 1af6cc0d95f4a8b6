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
  double large = std::ceil(tiles / few_tiles::multiprocessors()) * 0.1 * m;  // microseconds on an H200
#ifdef __CUDA_ARCH_LIST__
  using namespace large_tiles;
  const bool by_tma = bulk::exists();
  const auto plan = bulk::plan_for(shape, vectors);
  if (by_tma) large = plan.time;
#endif
  if (few_tiles::multiply(a, b, c, shape, vectors && whole(m, a), large)) return;
#ifdef __CUDA_ARCH_LIST__
  if (by_tma && bulk::launch(a, b, c, shape, vectors, plan.turns)) return;
#endif
  (vectors ? large_tiles::plain::launch<true> : large_tiles::plain::launch<false>)(a, b, c, n, m, p);
}

// The lab's first stages have launchers of their own.
void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
