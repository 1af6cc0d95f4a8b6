#pragma once

// Marsaglia's generator xorwow, as cuRAND begins it.

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace lab_sim {
/// Advances the five words by so many steps, or by so many times 2^67 steps.
void skip_xorwow(unsigned (&words)[5], unsigned long long steps, bool subsequences);
constexpr unsigned xorwow_step = 362437;
}  // namespace lab_sim

inline __device__ void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  unsigned words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  lab_sim::skip_xorwow(words, n, false);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  state->d += lab_sim::xorwow_step * static_cast<unsigned>(n);
}

// A subsequence has 2^67 numbers, a multiple of the period of d.
inline __device__ void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  unsigned words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  lab_sim::skip_xorwow(words, n, true);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
}

inline __device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                   curandStateXORWOW_t* state) {
  const unsigned low = static_cast<unsigned>(seed) ^ 0xaad26b49u,
                 high = static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu;
  const unsigned t0 = 1099087573u * low, t1 = 2591861531u * high;
  *state = {6615241u + t1 + t0,
            {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0},
            0,
            0,
            0,
            0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

inline __device__ unsigned curand(curandStateXORWOW_t* state) {
  const unsigned t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += lab_sim::xorwow_step;
  return state->v[4] + state->d;
}
