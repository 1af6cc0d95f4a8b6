// Multiplies by every form of lab 17's encore, also by those that are chosen for large products only, at sizes of a few
// tiles, and with every way in which blocks may share the work. Prints the plans whose product is wrong, and their
// number. ring_plans_test.py builds it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "encore.cu"

namespace {

using namespace ring_kernel;

float as_float(unsigned short bits) {
  const unsigned wide = unsigned(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

// Whole numbers from -4 to 4, so that no order of additions rounds.
std::vector<unsigned short> drawn(size_t count, unsigned state) {
  std::vector<unsigned short> all(count);
  for (auto& one : all) {
    state = state * 1664525u + 1013904223u;
    const float value = float(int(state >> 16) % 9 - 4);
    unsigned bits;
    std::memcpy(&bits, &value, sizeof bits);
    one = bits >> 16;
  }
  return all;
}

struct product {
  few_tiles::shape s;
  unsigned short *a, *b;
  float* c;
  std::vector<float> expected;

  explicit product(const few_tiles::shape& s_) : s{s_}, expected(size_t(s.n) * s.p) {
    const auto left = drawn(size_t(s.n) * s.m, 1), right = drawn(size_t(s.m) * s.p, 2);
    cudaMalloc(&a, left.size() * sizeof *a);
    cudaMalloc(&b, right.size() * sizeof *b);
    cudaMalloc(&c, expected.size() * sizeof *c);
    cudaMemcpy(a, left.data(), left.size() * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, right.data(), right.size() * sizeof *b, cudaMemcpyHostToDevice);
    std::vector<float> wide(right.size());
    for (size_t i = 0; i < wide.size(); ++i) wide[i] = as_float(right[i]);
    for (int i = 0; i < s.n; ++i)
      for (int k = 0; k < s.m; ++k) {
        const float x = as_float(left[size_t(i) * s.m + k]);
        for (int j = 0; j < s.p; ++j) expected[size_t(i) * s.p + j] += x * wide[size_t(k) * s.p + j];
      }
  }
  ~product() { cudaFree(a), cudaFree(b), cudaFree(c); }

  bool is_right_by(const plan& how) const {
    cudaMemset(c, 0x7f, expected.size() * sizeof *c);
    multiply_by(how, a, b, c, s);
    std::vector<float> got(expected.size());
    const cudaError_t copied = cudaMemcpy(got.data(), c, got.size() * sizeof *c, cudaMemcpyDeviceToHost);
    return copied == cudaSuccess && got == expected;
  }
};

// A tile and a part of one in each direction, of all blocks of a cluster, and more steps than the ring has stages. TMA
// takes rows of whole vectors; others begin anywhere that the form can copy from.
few_tiles::shape size_for(const form_facts& of) {
  const int odd = of.from == source::by_tma ? 8 : of.from == source::by_copies ? 2 : 1;
  const int stages = of.bytes / (sizeof(unsigned short) * depth * (of.rows + of.loaded_cols));
  return {of.cluster_rows() + 3, (stages + 1) * depth + odd, of.cluster_cols() + (of.turned || odd > 1 ? 8 : 1)};
}

std::vector<plan> plans_of(int form, const few_tiles::shape& s) {
  const form_facts& of = forms[form];
  const int tiles = tiles_along(s.n, of.cluster_rows()) * tiles_along(s.p, of.cluster_cols());
  std::vector<plan> all{{form, tiles, 1},  // each block has a tile,
                        {form, 3, 1},      // and three share the last one,
                        {form, 5, 0}};     // or all of them; a block's part is in two tiles
  if (of.from != source::by_registers) all.push_back({form, 2 * tiles, 0});  // as many blocks for each tile
  if (of.from == source::by_tma && of.team == 1) all.push_back({form, tiles, 1, true, true});
  return all;
}

}  // namespace

// Of all forms, or of those with clusters of so many blocks at least.
int main(int count, char** arguments) {
  const int least_team = count > 1 ? std::atoi(arguments[1]) : 1;
  int tried = 0;
  const auto try_all = [&](const product& one, const std::vector<plan>& plans) {
    for (const plan& how : plans) {
      ++tried;
      if (one.is_right_by(how)) continue;
      const form_facts& of = forms[how.form];
      std::printf("wrong: form %d (%d x %d, a cluster of %d), %d blocks, %d turns, at %d x %d x %d: %s\n", how.form,
                  of.rows, of.cols, of.team, how.blocks, how.turns, one.s.n, one.s.m, one.s.p,
                  cudaGetErrorString(cudaGetLastError()));
    }
  };
  for (int form = 0; form < forms_count; ++form) {
    if (forms[form].team < least_team) continue;
    const product one{size_for(forms[form])};
    try_all(one, plans_of(form, one.s));
  }
  // So wide that tiles beside each other are computed one after the other: 2 x 28 of the first form.
  if (least_team == 1) try_all(product{{130, 72, 7016}}, {{0, 56, 1}, {0, 9, 7}});
  std::printf("%d plans\n", tried);
}
