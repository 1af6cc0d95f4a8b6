#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "../device/product_parts.hpp"
#include "../device/transposed.hpp"
#include "forms.hpp"

// The host's part of ring_kernel.hpp.
namespace ring_kernel {

// How a product is computed: by which form of the kernel, how many blocks or clusters, and how many whole tiles each
// has.
struct plan {
  int form = 0, blocks = 0, turns = 0;
  bool wide_a = false, wide_b = false;  // by a copy with wider rows
  double time = 0;                      // in microseconds, as expected
  int side = 0;                         // of small tiles that need no tensor cores, instead of all this
  int slim_rows = 0;                    // of tiles whose steps are fetched at once, instead of all this
  bool few_columns = false;             // by the kernel for them, instead of all this

  bool by_ring() const { return side == 0 && slim_rows == 0 && !few_columns; }
  bool widened() const { return wide_a || wide_b; }
};

inline int tiles_along(int extent, int side) { return (extent - 1) / side + 1; }

// The tiles below each other that come before those of the next column, as a power of two. If b is the larger matrix,
// 16 of them share its columns at the same time. Else they are fewer, so that rows of a are soon used again. What this
// gains on an H200: 1.31 at 5144 x 15040 x 192 by tiles of 128 x 64, 1.33 at 10000 x 3584 x 160 by clusters of four.
inline int rows_of_band(const form_facts& form, int n, int m, int p) {
  // Rows of c as long as possible go to memory together, if L2 keeps b: 1.14 times as fast at 1560 x 192 x 19368, 1.04
  // at 16384 x 64 x 16384. With more steps the tiles must share rows of a: 0.96 times at 11276 x 616 x 9768.
  if (p >= 7000 && m <= 400 && double(m) * p <= 1e7) return 0;
  if (n <= 0.6 * p) return 4;
  return form.cluster_rows() >= 256 ? 3 : 2;
}

/// The pieces of c = a b, of n x m and m x p elements.
inline schedule schedule_for(const form_facts& form, int n, int m, int p, int turns, int blocks) {
  return {
      tiles_along(n, form.cluster_rows()), tiles_along(p, form.cluster_cols()), tiles_along(m, depth), turns, blocks,
      form.from != source::by_registers,   rows_of_band(form, n, m, p)};
}

// Device memory on the default stream, gone in that stream's order.
class workspace {
 public:
  explicit workspace(size_t bytes) {
    static const bool kept = transposed::keep_freed_memory();
    if (bytes > 0 && kept) cudaMallocAsync(&data_, bytes, 0);
  }
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() {
    if (data_) cudaFreeAsync(data_, 0);
  }
  template <class T>
  T* as(size_t offset = 0) const {
    return reinterpret_cast<T*>(static_cast<char*>(data_) + offset);
  }

 private:
  void* data_ = nullptr;
};

inline bool ready(int form) {
  static bool done[forms_count]{};
  if (!done[form])
    done[form] = cudaFuncSetAttribute(forms[form].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      forms[form].bytes) == cudaSuccess;
  return done[form];
}

// `early`: the kernel may begin before the one that was launched last has ended.
inline cudaLaunchConfig_t configured(const form_facts& form, int clusters, bool early,
                                     cudaLaunchAttribute (&attributes)[2]) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {unsigned(form.team), 1, 1};
  attributes[1] = few_tiles::begins_early();
  cudaLaunchConfig_t config{};
  config.gridDim = clusters * form.team, config.blockDim = form.threads, config.dynamicSmemBytes = form.bytes;
  config.attrs = attributes + (form.team == 1), config.numAttrs = (form.team > 1) + early;
  return config;
}

inline int clusters_at_a_time(int form) {
  int found = 0;
  cudaLaunchAttribute attributes[2]{};
  const auto config = configured(forms[form], 1, false, attributes);
  if (!ready(form) || cudaOccupancyMaxActiveClusters(&found, forms[form].kernel, &config) != cudaSuccess) return 0;
  return found;
}

// How many blocks, or clusters, run at the same time if a multiprocessor has one block. A cluster lies within a group
// of 16 or 18 multiprocessors, so on an H100 only 30 clusters of four do.
inline int at_a_time(int form) {
  static std::optional<int> known[forms_count];
  if (!known[form]) known[form] = forms[form].team > 1 ? clusters_at_a_time(form) : few_tiles::multiprocessors();
  return *known[form];
}

// How many bytes of each row can be copied at a time: all rows begin at a multiple of so many. At most 16, as TMA
// needs.
inline int bytes_at_a_time(const matrix& of) {
  const auto bits = reinterpret_cast<std::uintptr_t>(of.data) | std::uintptr_t(of.width) * sizeof(*of.data) | 16;
  return int(bits & -bits);
}

// c's rows have p elements; b's may have more, and a's more than b has rows.
inline void launch(const plan& how, const matrix& a, const matrix& b, float* c, int p) {
  const form_facts& form = forms[how.form];
  if (!ready(how.form)) return;
  const auto all = schedule_for(form, a.height, a.width, p, how.turns, how.blocks);
  const bool vectors = p % 4 == 0 && reinterpret_cast<std::uintptr_t>(c) % 16 == 0;
  CUtensorMap of_a{}, of_b{};
  if (form.from == source::by_tma) {
    of_a = hopper::tensor_map(a.data, a.height, a.width, form.rows / form.team_cols);
    of_b = hopper::tensor_map(b.data, b.height, b.width, depth / form.team_rows);
  }
  const problem s{a, b, bytes_at_a_time(a), bytes_at_a_time(b), {c, a.height, p, vectors}, all, how.widened()};
  const int added = all.tiles() - all.first_added();
  if (added > 0) clear_kernel<<<added, 256>>>(s, form.cluster_rows(), form.cluster_cols());
  cudaLaunchAttribute attributes[2]{};
  const auto config = configured(form, how.blocks, added > 0 || how.widened(), attributes);
  cudaLaunchKernelEx(&config, form.kernel, of_a, of_b, s);
}

// Works on copies of a and b with rows of whole lines: beside the form by registers 4.3 times as fast at 1900 x 1900 x
// 1900. Where TMA takes the rows as they are, a copy takes longer than it saves.
inline void launch_widened(const plan& how, const matrix& a, const matrix& b, float* c) {
  const auto widened = [](int width) { return tiles_along(width, width > 32 ? 64 : 8) * (width > 32 ? 64 : 8); };
  const int m8 = widened(a.width), p8 = widened(b.width);
  const matrix nothing{nullptr, 0, 8}, from_a = how.wide_a ? a : nothing, from_b = how.wide_b ? b : nothing;
  const size_t of_a = size_t(from_a.height) * m8, of_b = size_t(from_b.height) * p8;
  const workspace copies{sizeof(unsigned short) * (of_a + of_b)};
  auto *wide_a = copies.as<unsigned short>(), *wide_b = wide_a + of_a;
  const int blocks = int(std::min<size_t>((of_a + of_b) / 8 / 256 + 1, 16 * few_tiles::multiprocessors()));
  any_address::widen_kernel<<<blocks, 256>>>(from_a, wide_a, m8, from_b, wide_b, p8);
  launch(how, how.wide_a ? matrix{wide_a, a.height, m8} : a, how.wide_b ? matrix{wide_b, b.height, p8} : b, c, b.width);
}

}  // namespace ring_kernel
