#pragma once

// The generator Philox4x32 with ten rounds (Salmon et al., 2011): the numbers are a function of a key and a counter.

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace lab_sim {

inline uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = make_uint4(static_cast<unsigned>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(b),
                         static_cast<unsigned>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(a));
    key = make_uint2(key.x + 0x9e3779b9u, key.y + 0xbb67ae85u);
  }
  return counter;
}

inline void add(unsigned& low, unsigned& high, unsigned long long n) {
  const unsigned long long sum = (static_cast<unsigned long long>(high) << 32 | low) + n;
  low = static_cast<unsigned>(sum);
  high = static_cast<unsigned>(sum >> 32);
}

}  // namespace lab_sim

inline __device__ void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long old = static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x;
  state->STATE += static_cast<unsigned>(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  lab_sim::add(state->ctr.x, state->ctr.y, n);
  if ((static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x) < old)
    lab_sim::add(state->ctr.z, state->ctr.w, 1);
  state->output = lab_sim::philox(state->ctr, state->key);
}

inline __device__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  lab_sim::add(state->ctr.z, state->ctr.w, n);
  state->output = lab_sim::philox(state->ctr, state->key);
}

inline __device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                   curandStatePhilox4_32_10_t* state) {
  *state = curandStatePhilox4_32_10_t{};
  state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

inline __device__ uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 before = state->output;
  skipahead(4, state);
  const uint4 after = state->output;
  switch (state->STATE) {
    case 0:
      return before;
    case 1:
      return make_uint4(before.y, before.z, before.w, after.x);
    case 2:
      return make_uint4(before.z, before.w, after.x, after.y);
    default:
      return make_uint4(before.w, after.x, after.y, after.z);
  }
}

inline __device__ unsigned curand(curandStatePhilox4_32_10_t* state) {
  const uint4 all = state->output;
  const unsigned at = state->STATE;
  skipahead(1, state);
  return at == 0 ? all.x : at == 1 ? all.y : at == 2 ? all.z : all.w;
}
