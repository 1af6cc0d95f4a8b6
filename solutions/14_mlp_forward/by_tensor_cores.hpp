#pragma once

#include <cuda_pipeline.h>

#include <cmath>

#include "tf32_products.hpp"

// The network for many images by tensor cores. On an H200 it takes 0.62 of the time that the kernels without them take
// for 8192 images, and 0.63 for 16384.
namespace tf32 {

// A block computes all outputs of `groups` x `tiles` x 16 images, from the first layer to the softmax. A warp has the
// sums of one of the groups, along one of the `shares` of the inputs. `stages` steps are in use or on their way.
template <int tiles_, int groups_, int shares_, int stages_>
struct form {
  static constexpr int tiles = tiles_, groups = groups_, shares = shares_, stages = stages_;
  static constexpr int of_warp = tiles * tile, height = groups * of_warp, threads = groups * shares * lanes;
  static constexpr int slabs = 2;  // of a warp in a step; with one, 16384 images took a fortieth longer
  static constexpr int depth = shares * slabs * slab;
  static constexpr int whole_steps = pixels / depth, rest = pixels % depth, steps = whole_steps + (rest > 0);
  static constexpr int size_of_slab = height * slab + slab;  // eight more: so an image's slabs are in different banks

  struct step {
    float x[depth / slab][size_of_slab], w[depth][hidden];
  };
  // What a block keeps in shared memory. The sums take the place of the steps.
  struct workplace {
    union {
      step ring[stages];
      float sums[shares][height][padded];
    };
    float w2[padded][hidden], w3[hidden * classes], b1[hidden], b2[hidden];
  };
};

// Copies a block's inputs and weights, step by step. `vectors`: images begin at multiples of 16 bytes, as all weights
// do.
template <bool vectors, class F>
class copier {
 public:
  __device__ copier(const float* images, int count, const float* w1)
      : from_{images + size_t(image_) * pixels + input_}, w1_{w1}, images_left_{count - image_} {}

  __device__ void copy_step(typename F::step& to, int number) {
    if (number < F::whole_steps)
      copy_next<F::depth>(to);
    else if (number < F::steps)
      copy_next<F::rest>(to);
    __pipeline_commit();
  }

 private:
  static constexpr int floats = vectors ? 4 : 1, row = F::depth / floats, at_once = F::threads / row;
  static_assert(F::threads % row == 0, "a thread copies the same inputs of each of its images");

  template <int inputs>
  __device__ void copy_next(typename F::step& to) {
    float* x = &to.x[input_ / slab][image_ * slab + input_ % slab];
    if (inputs == F::depth || input_ < inputs)
#pragma unroll
      for (int i = 0; i < F::height; i += at_once)
        if (i < images_left_) __pipeline_memcpy_async(x + i * slab, from_ + i * pixels, floats * sizeof(float));
    copy<inputs * hidden, F::threads>(to.w[0], w1_, threadIdx.x);
    from_ += F::depth, w1_ += F::depth * hidden;
  }

  const int input_ = threadIdx.x % row * floats, image_ = threadIdx.x / row;
  const float *from_, *w1_;
  const int images_left_;  // from the thread's first one on
};

// Adds up the shares, the bias, and applies ReLU: the outputs take the place of the first share's sums.
template <class F>
__device__ void add_up(typename F::workplace& s, const float* bias) {
  __syncthreads();
  for (int i = threadIdx.x; i < F::height * quads; i += F::threads) {
    const int row = i / quads, col = i % quads * 4;
    float4 sum = quad(bias + col);
#pragma unroll
    for (int k = 0; k < F::shares; ++k) add_to(sum, quad(&s.sums[k][row][col]));
    store_relu(&s.sums[0][row][col], sum);
  }
  __syncthreads();
}

// The result of all four lanes whose numbers differ in the last two bits.
template <class F>
__device__ float of_four_lanes(float x, const F& combine) {
  x = combine(x, __shfl_xor_sync(0xffffffff, x, 1));
  return combine(x, __shfl_xor_sync(0xffffffff, x, 2));
}

// Stores the probabilities of an image. Lane t of its four has the scores of classes 2 t and 2 t + 1, and of 8 and 9.
// Only lane 0 uses these two, so they count once.
__device__ void store_softmax(float* to, const float (&scores)[4], int t, bool exists) {
  const int mine = t == 0 ? 4 : 2;
  float largest = fmaxf(scores[0], scores[1]), powers[4], sum = 0;
  if (t == 0) largest = fmaxf(largest, fmaxf(scores[2], scores[3]));
  largest = of_four_lanes(largest, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
  for (int c = 0; c < 4; ++c)
    if (c < mine) sum += powers[c] = expf(scores[c] - largest);
  sum = of_four_lanes(sum, [](float a, float b) { return a + b; });
#pragma unroll
  for (int c = 0; c < 4; ++c)
    if (c < mine && exists) to[c < 2 ? 2 * t + c : 6 + c] = powers[c] / sum;
}

// The last layer and the softmax of 16 images, of which so many exist.
__device__ void classify(const float (*outputs)[padded], const float* w3, const float* b3, float* probabilities,
                         int images, int lane) {
  const int g = lane / 4, t = lane % 4;
  const float bias[] = {b3[2 * t], b3[2 * t + 1], b3[8], b3[9]};
  float sums[2][1][4] = {};  // eight classes, and two
#pragma unroll
  for (int k = 0; k < padded; k += slab) {
    of_images x[1][1];
    x[0][0].load(&outputs[0][k], padded, lane);
    float w[1][2][2];
#pragma unroll
    for (int input = 0; input < 2; ++input) {
      const float* row = w3 + min(k + 2 * t + input, hidden - 1) * classes;  // beyond the last, outputs are zeros
      w[0][input][0] = row[g], w[0][input][1] = row[8 + g % 2];
    }
    add_products(sums, x, w);
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float scores[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) scores[c] = sums[c / 2][0][2 * half + c % 2] + bias[c];
    const int image = g + 8 * half;
    store_softmax(probabilities + image * classes, scores, t, image < images);
  }
}

template <bool vectors, class F>
__global__ void __launch_bounds__(F::threads)
    kernel(const float* __restrict__ images, network n, float* __restrict__ probabilities, int batch) {
  extern __shared__ float4 memory[];
  auto& s = *reinterpret_cast<typename F::workplace*>(memory);
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int share = warp % F::shares, first_of_warp = warp / F::shares * F::of_warp, first_slab = share * F::slabs;
  const int first_image = blockIdx.x * F::height, images_here = min(F::height, batch - first_image);

  if (images_here < F::height) {  // zeros in place of the others
    for (int i = threadIdx.x; i < int(sizeof s.ring / sizeof *memory); i += F::threads) memory[i] = {};
    __syncthreads();
  }
  copier<vectors, F> copies{images + size_t(first_image) * pixels, images_here, n.w1};
#pragma unroll
  for (int i = 0; i < F::stages - 1; ++i) copies.copy_step(s.ring[i], i);
  // These come with the next step.
  copy<hidden, F::threads>(s.b1, n.b1, threadIdx.x), copy<hidden, F::threads>(s.b2, n.b2, threadIdx.x);
  copy<hidden * hidden, F::threads>(s.w2[0], n.w2, threadIdx.x);
  copy<hidden * classes, F::threads>(s.w3, n.w3, threadIdx.x);
  for (int i = threadIdx.x; i < (padded - hidden) * hidden; i += F::threads) s.w2[hidden + i / hidden][i % hidden] = 0;

  warp_sums<F::tiles> sums = {};
  int stage = 0;
  for (int number = 0; number < F::steps; ++number) {
    __pipeline_wait_prior(F::stages - 2);
    __syncthreads();  // all copies of this step have arrived, and all threads are done with the one before
    copies.copy_step(s.ring[stage == 0 ? F::stages - 1 : stage - 1], number + F::stages - 1);
    const auto& now = s.ring[stage];
    if (number < F::whole_steps || first_slab * slab < F::rest)
      add_layer<F::slabs, F::tiles>(sums, &now.x[first_slab][first_of_warp * slab], slab, F::size_of_slab,
                                    now.w[first_slab * slab], lane);
    if (++stage == F::stages) stage = 0;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  store_sums<F::tiles>(&s.sums[share][first_of_warp], sums, lane);
  add_up<F>(s, s.b1);

#pragma unroll
  for (auto& of_tiles : sums)
#pragma unroll
    for (auto& of_tile : of_tiles)
#pragma unroll
      for (float& sum : of_tile) sum = 0;
#pragma unroll 1
  for (int k = share * slab; k < padded; k += F::shares * slab)
    add_layer<1, F::tiles>(sums, &s.sums[0][first_of_warp][k], padded, 0, s.w2[k], lane);
  __syncthreads();
  store_sums<F::tiles>(&s.sums[share][first_of_warp], sums, lane);
  add_up<F>(s, s.b2);

  for (int i = warp * tile; i < F::height; i += F::threads / lanes * tile)
    classify(s.sums[0] + i, s.w3, n.b3, probabilities + size_t(first_image + i) * classes, images_here - i, lane);
}

template <bool vectors, class F>
void launch(const float* images, network n, float* probabilities, int batch) {
  constexpr int bytes = sizeof(typename F::workplace);
  cudaFuncSetAttribute(kernel<vectors, F>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<vectors, F><<<(batch - 1) / F::height + 1, F::threads, bytes>>>(images, n, probabilities, batch);
}

// Calls take(times, images of a block, launch) for each form that the GPU has enough shared memory for.
template <bool vectors, class F>
void consider_all(int most_shared, const F& take) {
  const auto consider = [&](const times& measured, auto of) {
    using form = decltype(of);
    if (most_shared >= int(sizeof(typename form::workplace))) take(measured, form::height, launch<vectors, form>);
  };
  consider({5.4, 15.1, 33.2}, form<1, 1, 7, 2>{});
  consider({4, 23, 47}, form<2, 1, 4, 3>{});
  consider({6.9, 35, 57.8}, form<2, 2, 2, 3>{});
  consider({9.4, 64, 106.8}, form<2, 4, 1, 3>{});
}

}  // namespace tf32
