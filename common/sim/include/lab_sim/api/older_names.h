#pragma once

// Functions that CUDA has removed; older programs call them.

constexpr cudaError_t cudaErrorApiFailureBase = cudaError_t(10000);

#define LAB_SIM_OLD(now) [[deprecated("CUDA has removed this function; use " now)]] inline cudaError_t
LAB_SIM_OLD("cudaDeviceSynchronize") cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
LAB_SIM_OLD("cudaDeviceReset") cudaThreadExit() { return cudaDeviceReset(); }
LAB_SIM_OLD("cudaDeviceSetLimit") cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
LAB_SIM_OLD("cudaDeviceGetLimit") cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
LAB_SIM_OLD("cudaDeviceSetCacheConfig") cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
LAB_SIM_OLD("cudaDeviceGetCacheConfig") cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
#undef LAB_SIM_OLD
