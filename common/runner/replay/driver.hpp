#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace lab::runner {

/// A call of the CUDA driver failed.
struct driver_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A function of the driver, found by name at run time, so that this program starts where there is no driver.
/// @throws driver_error
template <class Function>
Function* driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  constexpr unsigned as_of = 12040;  // CUDA 12.4, the first with cuFuncGetParamInfo
  const auto status = cudaGetDriverEntryPointByVersion(name, &found, as_of, cudaEnableDefault, &result);
  if (status != cudaSuccess || !found) throw driver_error(std::string{"the driver has no "} + name);
  return reinterpret_cast<Function*>(found);
}

/// @throws driver_error saying what failed, on what and how
inline void require(CUresult status, const char* call, const std::string& on) {
  if (status == CUDA_SUCCESS) return;
  const char *name = nullptr, *words = nullptr;
  driver_function<decltype(cuGetErrorName)>("cuGetErrorName")(status, &name);
  driver_function<decltype(cuGetErrorString)>("cuGetErrorString")(status, &words);
  const auto text = [](const char* t) { return std::string{t ? t : "unknown"}; };
  throw driver_error(std::string{call} + " on " + on + ": " + text(name) + " (" + text(words) + ")");
}

}  // namespace lab::runner

/// Calls a function of the driver on what the first argument describes.
#define LAB_DRIVER(on, name, ...) \
  ::lab::runner::require(::lab::runner::driver_function<decltype(name)>(#name)(__VA_ARGS__), #name, on)
