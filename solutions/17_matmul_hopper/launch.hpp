#pragma once

#include <algorithm>
#include <tuple>

#include "../device/product_parts.hpp"
#include "../device/transposed.hpp"
#include "ring_kernel.hpp"

// The host's part of ring_kernel.hpp.
namespace ring_kernel {

// How a product is computed: by which form of the kernel, how many blocks or clusters, and how many whole tiles each
// has.
struct plan {
  int form = 0, blocks = 0, turns = 0;
  bool widened = false;  // by copies of a and b with wider rows
  double time = 0;       // in microseconds, as expected
  int side = 0;          // of small tiles that need no tensor cores, instead of all this
  int slim_rows = 0;     // of tiles whose steps are fetched at once, instead of all this
};

// What they gain on an H100, beside the best of the others: all but the first 1.86 times as fast at 1024 x 1024 x 1024;
// the second 1.14 at 3072 x 3072 x 3072. Eight stages beside four: 1.5 at 128 x 16384 x 4096, 1.12 at 1024 x 1024 x
// 1024. The next two, clusters of two and of four blocks, for rows that lie in two lines of L2: 1.10 at 4000 x 4000 x
// 4000, 1.31 at 2000 x 1000 x 5000. Two by threads: two blocks with two warpgroups that load 1.14 at 12 x 500 x 200001,
// one block with four 1.20 at 40 x 300001 x 19. On an H200, clusters with smaller tiles: 1.09 at 1000 x 1000 x 5000 and
// 1.22 at 1000 x 3000 x 1000. Two for few rows: 1.07 at 32 x 8192 x 8192 and 1.08 at 17 x 4096 x 14336. The widest,
// where it saves a turn: 1.13 at 1000 x 1000 x 5000. The last three, clusters across: 1.24 at 64 x 1000 x 5000, 1.27 at
// 100 x 1000 x 5000 and 1.22 at 128 x 1000 x 10000.
using forms = std::tuple<form<128, 256, 4, 1, source::by_tma>, form<128, 192, 5, 1, source::by_tma>,
                         form<128, 128, 6, 1, source::by_tma>, form<64, 128, 8, 1, source::by_tma>,
                         form<64, 64, 8, 1, source::by_tma>, form<128, 256, 4, 1, source::by_tma, 2>,
                         form<128, 256, 4, 1, source::by_tma, 4>, form<64, 64, 4, 2, source::by_threads, 1, 2>,
                         form<64, 64, 8, 1, source::by_threads, 1, 4>, form<128, 192, 5, 1, source::by_tma, 2>,
                         form<128, 128, 6, 1, source::by_tma, 4>, form<64, 128, 10, 1, source::by_tma, 1, 1, narrow>,
                         form<64, 64, 16, 1, source::by_tma, 1, 1, narrow>, form<128, 320, 3, 1, source::by_tma, 2>,
                         form<64, 64, 13, 1, source::by_tma, 4, 1, 64, direction::across>,
                         form<128, 64, 8, 1, source::by_tma, 4, 1, 128, direction::across>,
                         form<128, 128, 6, 1, source::by_tma, 4, 1, 128, direction::across>>;

template <class Form>
constexpr int bytes_of = sizeof(ring<Form>) + 1024;  // it begins at a multiple of 1024 bytes

inline int tiles_along(int extent, int side) { return (extent - 1) / side + 1; }

/// The pieces of c = a b, of n x m and m x p elements.
template <class Form>
schedule schedule_for(int n, int m, int p, int turns, int blocks) {
  return {tiles_along(n, Form::cluster_rows), tiles_along(p, Form::cluster_cols), tiles_along(m, depth), turns, blocks,
          Form::from == source::by_tma};
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

template <class Form>
bool ready() {
  static const bool done = cudaFuncSetAttribute(matmul_kernel<Form>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                bytes_of<Form>) == cudaSuccess;
  return done;
}

// `early`: the kernel may begin before the one that was launched last has ended.
template <class Form>
cudaLaunchConfig_t configured(int clusters, bool early, cudaLaunchAttribute (&attributes)[2]) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {unsigned(Form::team), 1, 1};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = clusters * Form::team, config.blockDim = Form::threads, config.dynamicSmemBytes = bytes_of<Form>;
  config.attrs = attributes + (Form::team == 1), config.numAttrs = (Form::team > 1) + early;
  return config;
}

// How many blocks, or clusters, run at the same time if a multiprocessor has one block. A cluster lies within a group
// of 16 or 18 multiprocessors, so on an H100 only 30 clusters of four do.
template <class Form>
int at_a_time() {
  static const int count = [] {
    int found = few_tiles::multiprocessors() / Form::team;
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has clusters of one block only
    if constexpr (Form::team > 1) {
      cudaLaunchAttribute attributes[2]{};
      const auto config = configured<Form>(1, false, attributes);
      if (!ready<Form>() || cudaOccupancyMaxActiveClusters(&found, matmul_kernel<Form>, &config) != cudaSuccess)
        found = 0;
    }
#else
    if (Form::team > 1) found = 0;
#endif
    return found;
  }();
  return count;
}

// c's rows have p elements; b's may have more.
template <class Form>
void launch(const matrix& a, const matrix& b, float* c, int p, int blocks, int turns) {
  if (!ready<Form>()) return;
  const auto all = schedule_for<Form>(a.height, a.width, p, turns, blocks);
  const bool vectors = p % 4 == 0 && reinterpret_cast<std::uintptr_t>(c) % 16 == 0;
  CUtensorMap of_a{}, of_b{};
  if (Form::from == source::by_tma) {
    of_a = hopper::tensor_map(a.data, a.height, a.width, Form::fetched / Form::team_cols);
    of_b = hopper::tensor_map(b.data, b.height, b.width, depth / Form::team_rows);
  }
  const problem s{a, b, {c, a.height, p, vectors}, all};
  const int added = all.tiles() - all.first_added();
  if (added > 0) clear_kernel<Form><<<added, 256>>>(s);
  cudaLaunchAttribute attributes[2]{};
  const auto config = configured<Form>(blocks, added > 0, attributes);
  cudaLaunchKernelEx(&config, matmul_kernel<Form>, of_a, of_b, s);
}

template <std::size_t... i>
void launch(const plan& how, const matrix& a, const matrix& b, float* c, int p, std::index_sequence<i...>) {
  ((how.form == i ? launch<std::tuple_element_t<i, forms>>(a, b, c, p, how.blocks, how.turns) : void()), ...);
}
inline void launch(const plan& how, const matrix& a, const matrix& b, float* c, int p) {
  launch(how, a, b, c, p, std::make_index_sequence<std::tuple_size_v<forms>>{});
}

// Works on copies of a and b with rows of whole vectors: beside the form by threads 4.3 times as fast at 1900 x 1900 x
// 1900, and beside TMA in rows of 2000 bytes 1.18 at 2000 x 1000 x 5000.
inline void launch_widened(const plan& how, const matrix& a, const matrix& b, float* c) {
  const auto widened = [](int width) { return tiles_along(width, width > 32 ? 64 : 8) * (width > 32 ? 64 : 8); };
  const int m8 = widened(a.width), p8 = widened(b.width);
  const size_t of_a = size_t(a.height) * m8, of_b = size_t(b.height) * p8;
  const workspace copies{sizeof(unsigned short) * (of_a + of_b)};
  auto *wide_a = copies.as<unsigned short>(), *wide_b = wide_a + of_a;
  const int blocks = int(std::min<size_t>((of_a + of_b) / 8 / 256 + 1, 16 * few_tiles::multiprocessors()));
  any_address::widen_kernel<<<blocks, 256>>>(a, wide_a, m8, b, wide_b, p8);
  launch(how, {wide_a, a.height, m8}, {wide_b, b.height, p8}, c, b.width);
}

}  // namespace ring_kernel
