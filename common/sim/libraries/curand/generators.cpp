#include <cmath>

#include "curand_kernel.h"
#include "lab_sim/device.h"
#include "sim/runtime/api/library_work.hpp"

// Generators of the host API. Each number is a function of the seed and its position, by Philox.

struct curandGenerator_st {
  bool on_device;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, position = 0;
};

namespace {

// The four words for one element.
uint4 random_words(unsigned long long seed, unsigned long long position) {
  const auto low = [](unsigned long long x) { return static_cast<unsigned>(x); };
  return lab_sim::philox(make_uint4(low(position), low(position >> 32), 0, 0), make_uint2(low(seed), low(seed >> 32)));
}

template <class T, class Make>
curandStatus_t fill(curandGenerator_t generator, T* to, std::size_t count, const lab::sim::library_call& call,
                    Make make) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  const auto seed = generator->seed, first = generator->position;
  const auto work = [=] {
    for (std::size_t i = 0; i < count; ++i) to[i] = make(random_words(seed, first + i));
  };
  generator->position += count;
  if (!generator->on_device) return work(), CURAND_STATUS_SUCCESS;
  const auto error = lab::sim::do_library_work(call, generator->stream, {{to, count * sizeof(T), true}}, work);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_PREEXISTING_FAILURE;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_device,
                      const lab::sim::library_call& call) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  *generator = nullptr;
  if (type >= CURAND_RNG_QUASI_DEFAULT) {
    lab::sim::say_unsupported(call, "quasi-random generators");
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (type < CURAND_RNG_PSEUDO_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{on_device};
  return CURAND_STATUS_SUCCESS;
}

// The number of events at this rate (Knuth); for high rates, the normal distribution.
unsigned poisson(uint4 x, double lambda) {
  if (lambda > 256) {
    const double found = lambda + std::sqrt(lambda) * lab_sim::normal(x.x, x.y, x.z, x.w).x + 0.5;
    return found < 0 ? 0 : static_cast<unsigned>(found);
  }
  unsigned events = 0;
  double product = lab_sim::uniform(x.x, x.y);
  for (const double limit = std::exp(-lambda); product > limit; ++events) {
    x = lab_sim::philox(x, make_uint2(x.z, x.w));
    product *= lab_sim::uniform(x.x, x.y);
  }
  return events;
}

}  // namespace

#define LAB_CALL \
  lab::sim::library_call { __func__, __builtin_return_address(0) }
#define LAB_GENERATE(T, ...) \
  return fill(generator, to, count, LAB_CALL, [=](uint4 x) -> T { return static_cast<T>(__VA_ARGS__); });

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true, LAB_CALL);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false, LAB_CALL);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = 10400;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->position = 0;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->position = offset;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to,
                              size_t count){LAB_GENERATE(unsigned, x.x)} curandStatus_t
    curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to, size_t count){
        LAB_GENERATE(unsigned long long, static_cast<unsigned long long>(x.y) << 32 | x.x)} curandStatus_t
    curandGenerateUniform(curandGenerator_t generator, float* to,
                          size_t count){LAB_GENERATE(float, lab_sim::uniform(x.x))} curandStatus_t
    curandGenerateUniformDouble(curandGenerator_t generator, double* to,
                                size_t count){LAB_GENERATE(double, lab_sim::uniform(x.x, x.y))} curandStatus_t
    curandGenerateNormal(curandGenerator_t generator, float* to, size_t count, float mean, float deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  LAB_GENERATE(float, mean + deviation * lab_sim::normal(x.x, x.y).x)
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count, double mean,
                                          double deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  LAB_GENERATE(double, mean + deviation * lab_sim::normal(x.x, x.y, x.z, x.w).x)
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count, float mean,
                                       float deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  LAB_GENERATE(float, expf(mean + deviation * lab_sim::normal(x.x, x.y).x))
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count, double mean,
                                             double deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  LAB_GENERATE(double, exp(mean + deviation * lab_sim::normal(x.x, x.y, x.z, x.w).x))
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* to, size_t count, double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  LAB_GENERATE(unsigned, poisson(x, lambda))
}
