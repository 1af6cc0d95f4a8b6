#pragma once

#include <cstddef>
#include <cstdint>

// Fresh pages for device memory.

namespace lab::sim::pages {

constexpr std::size_t page = 4096, huge = 2u << 20;

/// Maps pages at this address, filled with a pattern that is NaN and -1. Returns false if there are none.
bool map(std::uintptr_t at, std::size_t bytes);

/// A piece of a file, of whole pages.
struct file_piece {
  int file;
  std::size_t offset;
};
/// Maps pages with the file's bytes. A page takes memory of its own only when it is written.
bool map(std::uintptr_t at, std::size_t bytes, file_piece from);

}  // namespace lab::sim::pages
