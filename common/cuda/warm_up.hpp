#pragma once

#include <vector>

#include "cuda/buffer.hpp"
#include "cuda/check.hpp"

namespace lab::cuda {

/// Has the current device do once whatever may take the operating system's help the first time: memory on both sides,
/// pinned and not, a stream, events, fills and copies. The stream waits for nobody, so from here on no work is given a
/// head start (runner/device_clock.hpp): no host function has been called, and one would need a thread. @throws error
inline void make_first_calls() {
  constexpr std::size_t bytes = 1 << 20;
  std::vector<std::byte> pageable(bytes);
  buffer there{bytes};
  there.upload(pageable.data());
  there.download(pageable.data());
  void* pinned = nullptr;
  cudaStream_t stream{};
  cudaEvent_t event{};
  check(cudaMallocHost(&pinned, bytes), "cudaMallocHost");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaEventCreate(&event), "cudaEventCreate");
  check(cudaMemsetAsync(there.data(), 0, bytes, stream), "cudaMemsetAsync");
  check(cudaMemcpyAsync(pinned, there.data(), bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  check(cudaEventRecord(event, stream), "cudaEventRecord");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  check(cudaEventDestroy(event), "cudaEventDestroy");
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  check(cudaFreeHost(pinned), "cudaFreeHost");
}

}  // namespace lab::cuda
