#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/runtime/memory/pages.hpp"

namespace lab::sim {

// The addresses of device memory: fixed, so that reports do not vary, and outside AddressSanitizer's shadow.
constexpr std::uintptr_t arena_begin = 0x1001'0000'0000, arena_end = 0x1500'0000'0000;

enum class memory_kind { device, managed, pinned, symbol };

struct allocation {
  std::uintptr_t begin;
  std::size_t bytes;
  memory_kind kind;
  unsigned serial;  // counts allocations, so that reports can name one
  bool freed;
  bool own_pages = true;          // shared with no other memory
  const char* made_by = nullptr;  // the call, if it is not its kind's usual one
  int device = 0;
  bool of_all_devices = false;  // of a pool, whose memory every device may access

  bool holds(std::uintptr_t address, std::size_t count) const {
    return address >= begin && address - begin <= bytes && count <= bytes - (address - begin);
  }
};

/// Memory aligned to 256 bytes between unmapped pages, filled with a pattern that is NaN and -1; null if none is left.
void* allocate(memory_kind kind, std::size_t bytes, const char* made_by = nullptr);
/// Device memory with the bytes of a file in place of that pattern. Null also if their place in the pages of the file
/// is not that of the memory.
void* allocate(std::size_t bytes, pages::file_piece from);
/// The address of memory that does not exist yet, as if it were freed already; null if no device has so much.
void* reserve(std::size_t bytes, const char* made_by);
/// Makes reserved or freed memory exist. Returns false if it does already, or if none is left.
bool allocate_at(void* pointer);
/// Unmaps an allocation of one of the two kinds. Returns false if no live one begins at this address.
bool release(void* pointer, memory_kind kind, memory_kind or_kind);
/// Registers host memory or a __device__ variable that kernels may access.
void register_memory(const void* pointer, std::size_t bytes, memory_kind kind);
bool unregister_memory(const void* pointer);
void release_all(int device);
/// Lets every device access an allocation.
void share_with_devices(const void* pointer);

/// The live allocation at this address. The address one past the end belongs to none.
std::optional<allocation> find(const volatile void* pointer);
/// A description of the allocation at or near an address, and whether it was freed.
struct place {
  std::string words;
  bool freed = false;
  bool known = false;
};
place describe(std::uintptr_t address);

std::size_t device_bytes_used();
std::size_t device_bytes_total();

/// Whether some of these bytes are device memory, which host code must not access.
bool is_device_memory(std::uintptr_t begin, std::size_t bytes);

/// Device memory is closed to the host except between these two calls, which may nest. Many allocations stay open, but
/// not in a traced program, whose accesses are counted.
void open_device_memory();
void close_device_memory();

/// While one exists, the memory that this device must not access is closed, also to kernels.
class own_memory {
 public:
  explicit own_memory(int device);
  own_memory(const own_memory&) = delete;
  own_memory& operator=(const own_memory&) = delete;
  ~own_memory();

 private:
  const int device_;
};

}  // namespace lab::sim
