#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace lab::runner {

/// Device memory in one piece, at a wished address if that is free. @throws driver_error
class arena {
 public:
  arena(std::uint64_t wished, std::uint64_t bytes);

  std::byte* data() const { return reinterpret_cast<std::byte*>(range_.at); }
  std::uint64_t address() const { return range_.at; }

 private:
  struct range {
    range() = default;
    range(const range&) = delete;
    range& operator=(const range&) = delete;
    ~range();

    CUdeviceptr at = 0;
    std::size_t bytes = 0;
    bool mapped = false;
  };

  void map_memory(const CUmemAllocationProp& kind);

  range range_;
};

}  // namespace lab::runner
