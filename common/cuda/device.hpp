#pragma once

#include <cstdint>
#include <string>

#include "cuda/check.hpp"

namespace lab::cuda {

/// What a device is; memory and cache sizes in bytes.
struct device {
  std::string name;
  std::size_t memory = 0, free = 0, l2 = 0;
  int multiprocessors = 0, major = 0, minor = 0, runtime = 0;
};

/// Makes device `number` the current one, starts it, and describes it.
inline device start_device(int number) {
  check(cudaSetDevice(number), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  device d;
  d.name = properties.name;
  d.l2 = static_cast<std::size_t>(properties.l2CacheSize);
  d.multiprocessors = properties.multiProcessorCount;
  d.major = properties.major;
  d.minor = properties.minor;
  check(cudaMemGetInfo(&d.free, &d.memory), "cudaMemGetInfo");
  check(cudaRuntimeGetVersion(&d.runtime), "cudaRuntimeGetVersion");
  return d;
}

}  // namespace lab::cuda
