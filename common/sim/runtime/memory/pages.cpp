#include "sim/runtime/memory/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace lab::sim::pages {

namespace {

constexpr int poison = 0xff;  // NaN as a float, -1 as an integer: an index that faults
// Filling costs 0.1 s for each GB, but an array that is filled lazily has no huge pages. Linux allows about 65,000
// mappings, so the file of poison is large.
constexpr std::size_t lazily_filled = std::size_t{2} << 30, poison_bytes = 64u << 20;

int poison_file() {
  const int file = memfd_create("poison", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, poison_bytes) != 0) return -1;
  void* const all = mmap(nullptr, poison_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (all == MAP_FAILED) return -1;
  std::memset(all, poison, poison_bytes);
  munmap(all, poison_bytes);
  return file;
}

// Maps copies of one file of poison, so that a page takes memory only when it is written.
bool map_poison(std::uintptr_t at, std::size_t size) {
  static const int file = poison_file();
  if (file < 0) return false;
  for (std::size_t done = 0; done < size; done += poison_bytes)
    if (mmap(reinterpret_cast<void*>(at + done), std::min(poison_bytes, size - done), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED)
      return false;
  return true;
}

}  // namespace

bool map(std::uintptr_t at, std::size_t bytes) {
  void* const wanted = reinterpret_cast<void*>(at);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* const got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (got == MAP_FAILED || got != wanted) return false;
  if (bytes >= huge) madvise(got, bytes, MADV_HUGEPAGE);
  if (bytes < lazily_filled || !map_poison(at, bytes)) std::memset(got, poison, bytes);
  return true;
}

bool map(std::uintptr_t at, std::size_t bytes, file_piece from) {
  void* const wanted = reinterpret_cast<void*>(at);
  const int flags = MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED_NOREPLACE | (from.file < 0 ? MAP_ANONYMOUS : 0);
  return mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags, from.file, static_cast<off_t>(from.offset)) == wanted;
}

}  // namespace lab::sim::pages
