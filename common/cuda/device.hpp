#pragma once

#include <cstdint>
#include <string>

#include "cuda/check.hpp"

namespace lab::cuda {

/// Properties of a device; memory and cache sizes in bytes.
struct device_properties {
  std::string name;
  std::size_t memory = 0, free = 0, l2 = 0;
  int multiprocessors = 0, major = 0, minor = 0, runtime = 0;
};

/// Makes device `number` the current device, initializes it and returns its properties. @throws error
inline device_properties start_device(int number) {
  check(cudaSetDevice(number), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  device_properties result;
  result.name = properties.name;
  result.l2 = static_cast<std::size_t>(properties.l2CacheSize);
  result.multiprocessors = properties.multiProcessorCount;
  result.major = properties.major;
  result.minor = properties.minor;
  check(cudaMemGetInfo(&result.free, &result.memory), "cudaMemGetInfo");
  check(cudaRuntimeGetVersion(&result.runtime), "cudaRuntimeGetVersion");
  return result;
}

}  // namespace lab::cuda
