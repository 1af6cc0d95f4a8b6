#pragma once

#include "network.hpp"

// Products of a warp by tensor cores, nearly as exact as in float. Tensor cores multiply numbers in TF32, which have 11
// bits where a float has 24. Each factor is nearly the sum of two such numbers, a high and a low one. Three of their
// four products are added. That of the low ones is at most two units of a float's last place.
namespace tf32 {

constexpr int tile = 16, slab = 8;  // of one instruction: images, and inputs; it has eight outputs
constexpr int padded = hidden + 4;  // outputs of a hidden layer for an image: so rows are in different banks
constexpr int of_four = 3;          // sets of four tiles of eight outputs; one more tile has the last four outputs

struct halves {
  unsigned high, low;
};

// The tensor cores ignore the last 13 bits. With half a unit added to the others, `high` is rounded to the nearest;
// `low` is what remains. cvt.rna would be five instructions.
__device__ halves split(float x) {
  const unsigned high = __float_as_uint(x) + 0x1000;
  return {high, __float_as_uint(x - __uint_as_float(high & 0xffffe000))};
}

// sums += x w, of 16 x 8 and 8 x 8 elements
__device__ void multiply(float (&sums)[4], const unsigned (&x)[4], const unsigned (&w)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(w[0]), "r"(w[1]));
#else
  __trap();  // there are no such products
#endif
}

// A lane's part of 16 images and eight inputs. Lane 4 g + t has the inputs 2 t and 2 t + 1 of images g and g + 8. The
// instruction calls these inputs t and t + 4: their order does not matter if it is that of the weights.
struct of_images {
  unsigned high[4], low[4];

  __device__ void load(const float* images, int stride, int lane) {
    const float* from = images + lane / 4 * stride + lane % 4 * 2;
    const float2 upper = *reinterpret_cast<const float2*>(from);
    const float2 lower = *reinterpret_cast<const float2*>(from + 8 * stride);
    set(0, upper.x), set(1, lower.x), set(2, upper.y), set(3, lower.y);
  }
  __device__ void set(int i, float x) {
    const halves of = split(x);
    high[i] = of.high, low[i] = of.low;
  }
};

// Adds the products with `count` tiles of weights of `slabs` x 8 inputs, w[slab][input][tile]. The tensor cores round
// towards zero when they add. So they add few products, of each slab the small ones first; these sums are added in
// float. That made the largest error of a probability 4e-6 of it. With all sums in the tensor cores it was 4e-5.
template <int tiles, int slabs, int count>
__device__ void add_products(float (*sums)[tiles][4], const of_images (&x)[slabs][tiles],
                             const float (&w)[slabs][2][count]) {
  float more[count][tiles][4] = {};
#pragma unroll
  for (int k = 0; k < slabs; ++k) {
    unsigned high[count][2], low[count][2];
#pragma unroll
    for (int j = 0; j < count; ++j)
#pragma unroll
      for (int input = 0; input < 2; ++input) {
        const halves of = split(w[k][input][j]);
        high[j][input] = of.high, low[j][input] = of.low;
      }
#pragma unroll
    for (int turn = 0; turn < 3; ++turn)  // products that add to the same sums are far apart
#pragma unroll
      for (int i = 0; i < tiles; ++i)
#pragma unroll
        for (int j = 0; j < count; ++j)
          multiply(more[j][i], turn == 0 ? x[k][i].low : x[k][i].high, turn == 1 ? low[j] : high[j]);
  }
#pragma unroll
  for (int j = 0; j < count; ++j)
#pragma unroll
    for (int i = 0; i < tiles; ++i)
#pragma unroll
      for (int c = 0; c < 4; ++c) sums[j][i][c] += more[j][i][c];
}

// Sums of `tiles` x 16 images and all outputs of a hidden layer. Of images g and g + 8, lane 4 g + t has outputs 32 q +
// 8 t to 32 q + 8 t + 7 for q = 0, 1, 2, and two of the last four if t < 2.
template <int tiles>
using warp_sums = float[4 * of_four + 1][tiles][4];

// Adds the products of `slabs` x 8 inputs: those of a slab are `next_slab` floats behind those of the last.
template <int slabs, int tiles>
__device__ void add_layer(warp_sums<tiles>& sums, const float* images, int stride, int next_slab, const float* weights,
                          int lane) {
  of_images x[slabs][tiles];
#pragma unroll
  for (int k = 0; k < slabs; ++k)
#pragma unroll
    for (int i = 0; i < tiles; ++i) x[k][i].load(images + k * next_slab + i * tile * stride, stride, lane);
  const int g = lane / 4;
  const auto row = [&](int k, int input) { return weights + (k * slab + lane % 4 * 2 + input) * hidden; };
#pragma unroll
  for (int q = 0; q < of_four; ++q) {
    float w[slabs][2][4];
#pragma unroll
    for (int k = 0; k < slabs; ++k)
#pragma unroll
      for (int input = 0; input < 2; ++input) {
        const float4 four = quad(row(k, input) + 32 * q + 4 * g);
        auto& to = w[k][input];
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
      }
    add_products(sums + 4 * q, x, w);
  }
  float w[slabs][2][1];
#pragma unroll
  for (int k = 0; k < slabs; ++k)
#pragma unroll
    for (int input = 0; input < 2; ++input) w[k][input][0] = row(k, input)[32 * of_four + g % 4];
  add_products(sums + 4 * of_four, x, w);
}

// Stores the sums of images in rows of `padded` floats, of which the last four become zeros.
template <int tiles>
__device__ void store_sums(float (*to)[padded], const warp_sums<tiles>& sums, int lane) {
  const int g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < tiles; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float* row = to[i * tile + c / 2 * 8 + g];
#pragma unroll
      for (int q = 0; q < of_four; ++q) {
        const auto& s = &sums[4 * q];
        *reinterpret_cast<float4*>(row + 32 * q + 8 * t + c % 2 * 4) = {s[0][i][c], s[1][i][c], s[2][i][c], s[3][i][c]};
      }
      row[32 * of_four + 2 * t + c % 2] = t < 2 ? sums[4 * of_four][i][c] : 0;
    }
}

}  // namespace tf32
