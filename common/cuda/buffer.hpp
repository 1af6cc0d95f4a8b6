#pragma once

#include <cstddef>
#include <utility>

#include "cuda/check.hpp"

namespace lab::cuda {

/// Owns an allocation of device memory.
class buffer {
 public:
  buffer() = default;
  explicit buffer(std::size_t bytes) : bytes_{bytes} {
    void* data = nullptr;
    check(cudaMalloc(&data, bytes), "cudaMalloc");
    data_ = static_cast<std::byte*>(data);
  }
  /// Owns what cudaFree can free.
  buffer(std::byte* allocated, std::size_t bytes) : data_{allocated}, bytes_{bytes} {}
  buffer(buffer&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~buffer() { cudaFree(data_); }

  std::byte* data() const { return data_; }
  std::size_t size_bytes() const { return bytes_; }

  /// Copies size_bytes() bytes from host memory to the device.
  void upload(const void* from) { check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice), "cudaMemcpy"); }

  /// Copies size_bytes() bytes from the device to host memory.
  void download(void* to) const { check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy"); }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace lab::cuda
