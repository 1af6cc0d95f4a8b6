#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "aligned_copies.hpp"
#include "by_tensor_cores.hpp"
#include "few_images.hpp"
#include "lab.hpp"
#include "many_images.hpp"
#include "some_images.hpp"

// The whole network in one launch, by the kernel that suits the number of images and the GPU.

// Images that begin between two vectors are copied if they are at most so many: with more, loads of single elements
// take less time. Such weights are always copied.
constexpr int few_images = 600;

static int attribute(cudaDeviceAttr of) {
  int device = 0, found = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&found, of, device);
  return found;
}

// Whether tensor cores multiply numbers in TF32 four to eight times as fast as other units multiply floats: those of
// A100, H100 and H200. Those of RTX cards are no faster.
static bool fast_tf32() {
#ifdef __CUDA_ARCH_LIST__  // what nvcc compiles for
  if (std::min({__CUDA_ARCH_LIST__}) < 800) return false;
#endif
  const int capability =
      10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
  return capability == 80 || capability == 90;
}

static void run(const float* images, network n, float* probabilities, int batch) {
  static const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  static const int most_shared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  static const bool tensor_cores = fast_tf32();
  std::uintptr_t weights = 0;
  for (const float* p : {n.w1, n.b1, n.w2, n.b2, n.w3}) weights |= reinterpret_cast<std::uintptr_t>(p);
  const bool whole = weights % sizeof(float4) == 0;
  const bool vectors = reinterpret_cast<std::uintptr_t>(images) % sizeof(float4) == 0;
  const bool copies_images = !vectors && batch <= few_images;
  if (!whole || copies_images) {
    const aligned::copies copied{images, n, copies_images ? batch : 0};
    if (copied.exist()) return run(copied.images(), copied.weights(), probabilities, batch);
  }
  // The time of few_images.hpp in microseconds, measured on an H200 with 132 multiprocessors.
  double least = vectors && whole ? 5.5 + 0.017 * batch * 132 / multiprocessors : INFINITY;
  auto fastest = vectors && whole ? few::launch : many::launch<false, false, 4>;
  const auto take = [&](const times& measured, double images_of_block, auto launch) {
    const double time = measured.of(std::ceil(std::ceil(batch / images_of_block) / multiprocessors));
    if (time < least) least = time, fastest = launch;
  };
  const auto consider = [&](auto vectors_of) {
    some::consider_all<vectors_of.value>(most_shared, take);
    many::consider_all<vectors_of.value>(take);
    if (tensor_cores) tf32::consider_all<vectors_of.value>(most_shared, take);
  };
  if (whole) vectors ? consider(std::true_type{}) : consider(std::false_type{});
  fastest(images, n, probabilities, batch);
}

// The lab's first two launchers do the same here.
void forward_naive(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  run(images, {w1, b1, w2, b2, w3, b3}, probabilities, batch);
}

void forward_tiled(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  run(images, {w1, b1, w2, b2, w3, b3}, probabilities, batch);
}

void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch) {
  run(images, {w1, b1, w2, b2, w3, b3}, probabilities, batch);
}
