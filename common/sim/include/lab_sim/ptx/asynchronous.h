#pragma once

// Compute capability 9.0: barriers in shared memory (mbarrier), copies by TMA, products of a warpgroup (wgmma), and
// registers that move between warps. They work as late as they may.

namespace lab_sim {

/// A barrier in shared memory gets its number of arrivals.
void barrier_begins(void* barrier, unsigned arrivals);
/// Announces bytes of asynchronous copies, then arrives so many times.
void barrier_expects(void* barrier, unsigned bytes, unsigned arrivals);
/// Arrives once all copies have come that this thread has begun by cp.async. `expected`: the barrier's number of
/// arrivals counts this one, else it is one more for this phase.
void arrive_after_copies(void* barrier, bool expected);
/// Whether the phase of this parity is over. `waits`: it does not return before that.
bool barrier_is_over(void* barrier, unsigned parity, bool waits);
/// Makes new barriers known to the copy engine.
void barriers_known();
/// Makes what threads have written to shared memory known to copy engine and tensor cores.
void fence_of_proxies();

/// Begins the copy of a box of the map's tensor; `at` holds a place for each dimension, the innermost first. `blocks`:
/// a bit for each block of the cluster to which it comes, at the same place as in this block; 0: to the one address.
void copy_box(void* to, const void* map, const int* at, unsigned rank, void* barrier, unsigned blocks);

/// From here on each thread of the warp has so many registers.
void set_registers(unsigned count, bool takes, place at = LAB_SIM_HERE);

/// A product of 64 x n sums by a warpgroup, whose operands have descriptors. 16 bits: k is 16.
struct group_product {
  int n;
  bool half, a_by_columns, b_by_rows;
  bool adds;  // to what the sums hold
  int sign;
};
void fence_products(place at = LAB_SIM_HERE);
void multiply_later(const group_product& what, float* const* sums, unsigned long long a, unsigned long long b,
                    place at = LAB_SIM_HERE);
void close_products(place at = LAB_SIM_HERE);
void await_products(unsigned groups, place at = LAB_SIM_HERE);

}  // namespace lab_sim

#ifndef LAB_SIM_STRICT
namespace lab_sim {
namespace ptx {

template <class Address>
LAB_SIM_INLINE void* shared_pointer(Address address) {
  return from_shared_address(static_cast<size_t>(address));
}

template <class To, class Map, class Barrier, class... At>
LAB_SIM_INLINE void copy_tensor(unsigned blocks, To to, Map map, Barrier barrier, At... at) {
  const int places[] = {static_cast<int>(at)...};
  copy_box(shared_pointer(to), (const void*)map, places, sizeof...(At), shared_pointer(barrier), blocks);
}

// mapa: of an address of shared memory, or of a generic one.
template <class Address>
LAB_SIM_INLINE Address shared_in_block(Address address, unsigned rank) {
  return static_cast<Address>(to_shared_address(in_block_of_cluster(shared_pointer(address), rank)));
}
LAB_SIM_INLINE u64 generic_in_block(u64 address, unsigned rank) {
  return (u64)in_block_of_cluster((const void*)address, rank);
}

// A kernel stores no addresses of its sums, so a trace is not to see such stores: they took most of its time.
#ifdef LAB_SIM_TRACE
#define LAB_SIM_ADDRESSES __attribute__((noinline, no_sanitize("thread")))
#else
#define LAB_SIM_ADDRESSES LAB_SIM_INLINE
#endif
template <int n>
struct addresses_of_sums {
  float* all[n / 2];

  template <class... Sum>
  LAB_SIM_ADDRESSES addresses_of_sums(Sum*... sums) : all{sums...} {
    static_assert(sizeof...(sums) == n / 2, "this wgmma has a wrong number of sums");
  }
};

template <int n, bool half>
LAB_SIM_INLINE void wgmma(const addresses_of_sums<n>& sums, unsigned long long a, unsigned long long b, bool adds,
                          int sign_a, int sign_b, int a_by_columns, int b_by_rows, place at = LAB_SIM_HERE) {
  const group_product what = {n, half, a_by_columns != 0, b_by_rows != 0, adds, sign_a * sign_b};
  multiply_later(what, sums.all, a, b, at);
}

}  // namespace ptx
}  // namespace lab_sim
#endif
