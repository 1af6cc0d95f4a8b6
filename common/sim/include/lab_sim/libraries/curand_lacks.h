#pragma once

// What cuRAND has in kernels and the simulator lacks: a call is an error that names the function.

#define LAB_LACKS(name) \
  unsigned name(...) __attribute__((error("the simulator does not support this function of cuRAND")));
LAB_LACKS(curand_poisson)
LAB_LACKS(curand_poisson4)
LAB_LACKS(curand_discrete)
LAB_LACKS(curand_discrete4)
LAB_LACKS(curand_log_normal2)
LAB_LACKS(curand_log_normal4)
LAB_LACKS(curand_log_normal2_double)
LAB_LACKS(curand_mtgp32_specific)
#undef LAB_LACKS
