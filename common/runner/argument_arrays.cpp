#include "runner/argument_arrays.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace lab::runner {

namespace {

constexpr std::size_t alignment = 256;  // what cudaMalloc promises

std::size_t image_bytes(const protocol::slot& s) { return s.guard + s.bytes + s.guard; }

std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

argument_arrays::argument_arrays(std::span<const protocol::slot> slots, bool on_host, const std::byte* in)
    : slots_{slots}, memories_(slots.size()), pointers_(slots.size()) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto& s = slots[i];
    if (s.kind == protocol::slot_kind::scalar) continue;
    std::byte* base = nullptr;
    if (on_host) {
      base = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded(image_bytes(s))));
      if (!base) throw std::bad_alloc();
      memories_[i] = host_memory{base};
      std::memcpy(base, in + s.offset, image_bytes(s));
    } else {
      auto& device = memories_[i].emplace<cuda::buffer>(image_bytes(s));
      if (!s.blank) device.upload(in + s.offset);
      base = device.data();
    }
    pointers_[i] = base + s.guard;
  }
}

void argument_arrays::copy_back(std::byte* out) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (const auto* device = std::get_if<cuda::buffer>(&memories_[i])) device->download(out + slots_[i].offset);
    if (const auto* host = std::get_if<host_memory>(&memories_[i]))
      std::memcpy(out + slots_[i].offset, host->get(), image_bytes(slots_[i]));
  }
}

}  // namespace lab::runner
