#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lab::sim {

// Where device memory lies: fixed, so that reports and runs do not vary, and outside AddressSanitizer's shadow.
constexpr std::uintptr_t arena_begin = 0x1001'0000'0000, arena_end = 0x1500'0000'0000;

enum class memory_kind { device, managed, pinned, symbol };

struct allocation {
  std::uintptr_t begin;
  std::size_t bytes;
  memory_kind kind;
  unsigned serial;  // counts allocations, so that reports can name one
  bool freed;
  bool own_pages = true;  // shared with no other memory

  bool holds(std::uintptr_t p, std::size_t n) const {
    return p >= begin && p - begin <= bytes && n <= bytes - (p - begin);
  }
};

/// Memory of 256-byte alignment between unmapped pages, filled with a pattern that is NaN and -1; null when there is
/// none left.
void* allocate(memory_kind kind, std::size_t bytes);
/// Unmaps an allocation of one of the two kinds; false when `p` does not begin a live one.
bool release(void* p, memory_kind kind, memory_kind or_kind);
/// Host memory or a __device__ variable that kernels may use from now on.
void enlist(const void* p, std::size_t bytes, memory_kind kind);
bool strike(const void* p);
void release_all();

/// The live allocation that holds `p`; an address one past the end belongs to none.
std::optional<allocation> find(const volatile void* p);
/// What lies at or near an address, live or freed, in words; also tells whether it was freed.
struct place {
  std::string words;
  bool freed = false;
  bool known = false;
};
place describe(std::uintptr_t p);

std::size_t device_bytes_used();
std::size_t device_bytes_total();

/// Device memory is closed to the host except between these two calls, which may nest.
void open_device_memory();
void close_device_memory();

}  // namespace lab::sim
