// arch: sm_90a or any
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../device/few_tiles.hpp"
#include "lab.hpp"
#include "middle_plan.hpp"
#include "plain.hpp"
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has nothing of this
#include "bulk.hpp"
#endif

// Takes the way that is expected to be fastest: large tiles by TMA or, on GPUs without it, by all threads; tiles of
// 64 x 128; or smaller ones, where those would leave multiprocessors idle.
void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const auto whole = [](int row, auto... pointers) {
    return row % 4 == 0 && ((reinterpret_cast<std::uintptr_t>(pointers) % 16 == 0) && ...);
  };
  const bool vectors = whole(p, b, c);
  const few_tiles::shape shape{n, m, p};
  const double tiles = double(few_tiles::divided(n, large_tiles::rows)) * few_tiles::divided(p, large_tiles::cols);
  // Microseconds on an H200; the begin and the end of a tile take as long as 30 steps of m.
  double large =
      std::ceil(tiles / few_tiles::multiprocessors()) * 0.1 * (m + 30.0) + 4.0 * n * p / few_tiles::beside.stored;
#ifdef __CUDA_ARCH_LIST__
  using namespace large_tiles;
  const bool by_tma = bulk::exists();
  const auto plan = bulk::plan_for(shape, vectors);
  if (by_tma) large = plan.time - 2;  // the launch, which the other times are without
#endif
  const auto middle = middle_tiles::plan_for(shape, vectors);
  if (few_tiles::multiply(a, b, c, shape, vectors && whole(m, a), std::min(large, middle.time))) return;
  if (middle.time < large) return middle_tiles::launch(a, b, c, shape, vectors, middle);
#ifdef __CUDA_ARCH_LIST__
  if (by_tma && bulk::launch(a, b, c, shape, vectors, plan.turns)) return;
#endif
  (vectors ? large_tiles::plain::launch<true> : large_tiles::plain::launch<false>)(a, b, c, n, m, p);
}

// The lab's first stages have launchers of their own.
void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
