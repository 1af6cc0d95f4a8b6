#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace lab::runner {

/// One contiguous range of device memory, at the preferred address if that is free. @throws driver_error
class device_arena {
 public:
  device_arena(std::uint64_t preferred, std::uint64_t bytes);

  std::byte* data() const { return reinterpret_cast<std::byte*>(range_.start); }
  std::uint64_t address() const { return range_.start; }

 private:
  struct range {
    range() = default;
    range(const range&) = delete;
    range& operator=(const range&) = delete;
    ~range();

    CUdeviceptr start = 0;
    std::size_t bytes = 0;
    bool mapped = false;
  };

  void map_memory(const CUmemAllocationProp& kind);

  range range_;
};

}  // namespace lab::runner
