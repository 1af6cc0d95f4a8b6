#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cublas_v2.h"
#include "sim/runtime/api/library_work.hpp"

// What the functions of cuBLAS share: the handle, the memory that a call accesses, numbers on the host or the device.

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace lab::sim::cublas {

/// A number that the program gives by pointer.
template <class T>
struct scalar {
  T value;
  const T* device;
  T get() const { return device ? *device : value; }
};

/// One call of the library.
class work {
 public:
  work(cublasHandle_t handle, library_call by) : handle_{handle}, by_{by} {}

  bool valid() const { return handle_; }
  const library_call& by() const { return by_; }
  bool numbers_on_device() const { return handle_->pointers == CUBLAS_POINTER_MODE_DEVICE; }

  template <class T>
  scalar<T> number(const T* pointer) {
    if (!numbers_on_device()) return {*pointer, nullptr};
    memory_.push_back({pointer, sizeof(T), false});
    return {T{}, pointer};
  }
  template <class T>
  void vector(T* x, int n, int step) {
    const auto stride = static_cast<std::size_t>(step < 0 ? -step : step) * sizeof(T);
    matrix_of_bytes(x, sizeof(T), static_cast<std::size_t>(n), stride, !std::is_const_v<T>);
  }
  template <class T>
  void matrix(T* a, int rows, int columns, int ld) {
    matrix_of_bytes(a, static_cast<std::size_t>(rows) * sizeof(T), static_cast<std::size_t>(columns),
                    static_cast<std::size_t>(ld) * sizeof(T), !std::is_const_v<T>);
  }
  void matrix_of_bytes(const void* a, std::size_t bytes, std::size_t columns, std::size_t pitch, bool writes) {
    if (bytes == 0 || columns == 0) return;
    if (bytes == pitch) return memory_.push_back({a, bytes * columns, writes});
    memory_.push_back({a, bytes, writes, columns, pitch});
  }

  template <class Action>
  cublasStatus_t perform(Action action) {
    return status_of(do_library_work(by_, handle_->stream, memory_, action));
  }
  /// Work with one result, for which the host waits unless it is on the device.
  template <class T, class Action>
  cublasStatus_t result(T* to, Action action) {
    if (numbers_on_device()) {
      memory_.push_back({to, sizeof(T), true});
      return perform([=] { *to = action(); });
    }
    if (captures(handle_->stream)) return CUBLAS_STATUS_NOT_SUPPORTED;
    T found{};
    const auto status = perform([&] { found = action(); });
    if (status == CUBLAS_STATUS_SUCCESS) wait_for_library(handle_->stream), *to = found;
    return status;
  }

 private:
  static cublasStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
  }

  cublasHandle_t handle_;
  library_call by_;
  std::vector<library_memory> memory_ = {};
};

}  // namespace lab::sim::cublas

#define LAB_CALL \
  lab::sim::library_call { __func__, __builtin_return_address(0) }
