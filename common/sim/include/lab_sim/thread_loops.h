#pragma once

// A kernel whose threads labcc runs in loops: docs/design/thread-loops.md. All of a kernel's names here begin with
// lab_.

namespace lab_sim {

/// Memory for values that threads keep between loops, until they are given back in reverse order.
__attribute__((malloc)) void* take_room(size_t bytes);
void give_room_back(size_t bytes);
/// Ends the kernel: its indices may not fit an int.
[[noreturn]] void too_many_threads();

constexpr unsigned most_threads_of_grid = 0x7fffffff - 1024;

/// Lives as long as the kernel runs the threads of a block.
struct thread_loops {
  LAB_SIM_INLINE explicit thread_loops(bool one_by_one) {
    threads_of_block->in_loops = true;
    if (one_by_one) threads_of_block->one_by_one = true;
    if (size_t{::gridDim.x} * ::blockDim.x > most_threads_of_grid) too_many_threads();
  }
  LAB_SIM_INLINE ~thread_loops() { threads_of_block->interleaved = true; }  // so that no other thread is started
  thread_loops(const thread_loops&) = delete;
  thread_loops& operator=(const thread_loops&) = delete;
};

/// Stands for threadIdx outside of the loops, where no thread runs.
struct no_thread {};

/// The compiler learns that sums of indices do not overflow.
LAB_SIM_INLINE unsigned at_most(unsigned value, unsigned limit) {
  if (value > limit) __builtin_unreachable();
  return value;
}

/// The threads of a block, row by row; or one by one, so that the runtime knows which one runs.
class thread_rows {
 public:
  LAB_SIM_INLINE thread_rows(const dim3& size, bool one_by_one)
      : size_{size}, one_by_one_{one_by_one}, last(one_by_one ? 1 : size.x) {
    tell();
  }
  LAB_SIM_INLINE bool more() const { return z < size_.z; }
  LAB_SIM_INLINE void next() {
    if (last < size_.x) {
      first = last++;
    } else {
      first = 0;
      last = one_by_one_ ? 1 : size_.x;
      before += size_.x;
      if (++y == size_.y) y = 0, ++z;
    }
    tell();
  }

 private:
  LAB_SIM_INLINE void tell() const {
    if (one_by_one_) threadIdx = {first, y, z};
  }
  dim3 size_;
  bool one_by_one_;

 public:
  unsigned first = 0, last;  // x
  unsigned y = 0, z = 0;
  size_t before = 0;  // threads in the rows before this one
};

/// How many elements of a row are in one line of the cache, if the largest of them has `bytes`.
constexpr unsigned elements_of_line(std::initializer_list<size_t> bytes) {
  size_t most = 1;
  for (const size_t one : bytes) most = one > most ? one : most;
  return most < 64 ? static_cast<unsigned>(64 / most) : 1;
}

/// The next thread of a row that may read another line; at last the row's last thread.
LAB_SIM_INLINE unsigned next_line(unsigned x, unsigned end, unsigned step) {
  return x + step < end ? x + step : x + 1 < end ? end - 1 : end;
}

/// One value for each thread of the block.
template <class T>
class kept {
 public:
  using value = std::remove_cv_t<T>;
  static_assert(std::is_trivially_copyable_v<value> && std::is_trivially_destructible_v<value>);
  LAB_SIM_INLINE explicit kept(const dim3& block)
      : bytes_((sizeof(T) * block.x * block.y * block.z + 63) / 64 * 64),
        values(static_cast<value*>(take_room(bytes_))) {}
  LAB_SIM_INLINE ~kept() { give_room_back(bytes_); }
  kept(const kept&) = delete;
  kept& operator=(const kept&) = delete;

 private:
  const size_t bytes_;

 public:
  value* const values;
};

template <class T>
LAB_SIM_INLINE void fill(T* to, const dim3& block, const T& value) {
  for (size_t i = 0; i < size_t{block.x} * block.y * block.z; ++i) to[i] = value;
}

template <class T>
LAB_SIM_INLINE void keep_all(T& to, const T& from) {
  to = from;
}
template <class T, size_t n>
LAB_SIM_INLINE void keep_all(T (&to)[n], const T (&from)[n]) {
  for (size_t i = 0; i < n; ++i) keep_all(to[i], from[i]);
}

template <class T>
using type = T;

/// One iteration of a loop, for the threads of a row that `goes_on`. `values`: the loop's variable, for each thread.
/// Most often all threads go on, with one value after another. The compiler can then use vector instructions.
/// Returns whether any thread went on.
template <class T, class Condition, class Turn>
LAB_SIM_INLINE bool take_turns(const thread_rows& row, T* values, const Condition& goes_on, const Turn& turn) {
  using wide = std::make_unsigned_t<T>;
  constexpr T most = static_cast<T>((static_cast<wide>(-1) >> std::is_signed_v<T>)-1024);
  const unsigned first = at_most(row.first, 1024), end = at_most(row.last, 1024);
  const T base = values[first];
  wide going = 0, odd = base > most;  // no bools, so that the loop has one width
  for (unsigned x = first; x < end; ++x) {
    bool on;
    goes_on(x, values[x], on);
    const wide one = on ? 1 : 0, next = static_cast<wide>(base) + static_cast<wide>(x - first);
    going |= one;
    odd |= static_cast<wide>(static_cast<wide>(values[x]) ^ next) | (one ^ 1);
  }
  const bool any = going != 0, all = odd == 0;
  if (all) {
    if (base > most) __builtin_unreachable();
    for (unsigned x = first; x < end; ++x) turn(x, base + static_cast<T>(x - first));
  } else if (any) {
    for (unsigned x = first; x < end; ++x) {
      bool on;
      goes_on(x, values[x], on);
      if (on) turn(x, values[x]);
    }
  }
  return any;
}

}  // namespace lab_sim

#define LAB_SIM_MAYBE_UNUSED __attribute__((unused))
#define LAB_SIM_TYPE(...) ::lab_sim::type<__VA_ARGS__>

#define LAB_SIM_THREAD_LOOPS(alone)                                           \
  const ::lab_sim::thread_loops lab_loops{alone};                             \
  LAB_SIM_MAYBE_UNUSED const uint3 blockIdx = ::blockIdx;                     \
  LAB_SIM_MAYBE_UNUSED const dim3 blockDim = ::blockDim, gridDim = ::gridDim; \
  LAB_SIM_MAYBE_UNUSED const ::lab_sim::no_thread threadIdx{};                \
  const bool lab_one_by_one = ::lab_sim::threads_of_block->one_by_one;        \
  ::lab_sim::at_most(blockIdx.x* blockDim.x, ::lab_sim::most_threads_of_grid)

#define LAB_SIM_EACH_THREAD                                                                                            \
  for (::lab_sim::thread_rows lab_rows{blockDim, lab_one_by_one}; lab_rows.more(); lab_rows.next())                    \
    for (unsigned lab_x = ::lab_sim::at_most(lab_rows.first, 1024), lab_end = ::lab_sim::at_most(lab_rows.last, 1024); \
         lab_x < lab_end; ++lab_x)

#define LAB_SIM_THREAD                                                       \
  LAB_SIM_MAYBE_UNUSED const uint3 threadIdx{lab_x, lab_rows.y, lab_rows.z}; \
  LAB_SIM_MAYBE_UNUSED const size_t lab_thread = lab_rows.before + lab_x

/// The compiler lets the stores of a thread stand.
#define LAB_SIM_THREAD_DONE asm volatile("" ::: "memory")

/// The threads of a block that read other lines of memory than those before them, if neighbours read neighbours.
#define LAB_SIM_EACH_LINE(...)                                                             \
  for (::lab_sim::thread_rows lab_rows{blockDim, false}; lab_rows.more(); lab_rows.next()) \
    for (unsigned lab_x = 0, lab_end = lab_rows.last; lab_x < lab_end;                     \
         lab_x = ::lab_sim::next_line(lab_x, lab_end, ::lab_sim::elements_of_line({__VA_ARGS__})))
#define LAB_SIM_ASK_FOR(...) __builtin_prefetch(&(__VA_ARGS__))

#define LAB_SIM_KEEP(type, name)                         \
  const ::lab_sim::kept<type> lab_kept_##name{blockDim}; \
  auto* const __restrict lab_keep_##name = lab_kept_##name.values
/// For what the program's own pointers may point at.
#define LAB_SIM_KEEP_POINTED_AT(type, name)              \
  const ::lab_sim::kept<type> lab_kept_##name{blockDim}; \
  auto* const lab_keep_##name = lab_kept_##name.values
#define LAB_SIM_FILL(name) ::lab_sim::fill(lab_keep_##name, blockDim, name)

/// A loop whose threads take turns, one iteration each, until none goes on.
#define LAB_SIM_TURNS for (bool lab_more = true; lab_more;)
#define LAB_SIM_EACH_ROW \
  for (::lab_sim::thread_rows lab_rows{blockDim, lab_one_by_one}; lab_rows.more(); lab_rows.next())
#define LAB_SIM_TURN(...) [&](unsigned lab_x, __VA_ARGS__) __attribute__((always_inline))
#define LAB_SIM_TAKE_TURNS(values) \
  lab_more |= ::lab_sim::take_turns(lab_rows, values + lab_rows.before, lab_goes_on, lab_turn)
