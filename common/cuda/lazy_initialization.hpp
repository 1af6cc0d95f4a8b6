#pragma once

#include <vector>

#include "cuda/buffer.hpp"
#include "cuda/check.hpp"

namespace lab::cuda {

/// Makes the driver do its lazy initialization now: the first use of pageable and pinned memory, streams, events, fills
/// and copies makes system calls. It calls no host function, which would need a thread, and it creates a non-blocking
/// stream, so the device is never held later (runner/device_clock.hpp). @throws error
inline void force_lazy_initialization() {
  constexpr std::size_t bytes = 1 << 20;
  std::vector<std::byte> pageable(bytes);
  buffer device{bytes};
  device.upload(pageable.data());
  device.download(pageable.data());
  void* pinned = nullptr;
  cudaStream_t stream{};
  cudaEvent_t event{};
  check(cudaMallocHost(&pinned, bytes), "cudaMallocHost");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaEventCreate(&event), "cudaEventCreate");
  check(cudaMemsetAsync(device.data(), 0, bytes, stream), "cudaMemsetAsync");
  check(cudaMemcpyAsync(pinned, device.data(), bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  check(cudaEventRecord(event, stream), "cudaEventRecord");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  check(cudaEventDestroy(event), "cudaEventDestroy");
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  check(cudaFreeHost(pinned), "cudaFreeHost");
}

}  // namespace lab::cuda
