#include "runner/argument_arrays.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace lab::runner {

namespace {

constexpr std::size_t alignment = 256;  // cudaMalloc guarantees it

std::size_t guarded_bytes(const protocol::slot& slot) { return slot.guard + slot.bytes + slot.guard; }

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

argument_arrays::argument_arrays(std::span<const protocol::slot> slots, bool on_host, const std::byte* in)
    : slots_{slots}, memories_(slots.size()), pointers_(slots.size()) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto& slot = slots[i];
    if (slot.kind == protocol::slot_kind::scalar) continue;
    std::byte* base = nullptr;
    if (on_host) {
      base = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded_up(guarded_bytes(slot))));
      if (!base) throw std::bad_alloc();
      memories_[i] = host_memory{base};
      std::memcpy(base, in + slot.offset, guarded_bytes(slot));
    } else {
      auto& device = memories_[i].emplace<cuda::buffer>(guarded_bytes(slot));
      if (!slot.blank) device.upload(in + slot.offset);
      base = device.data();
    }
    pointers_[i] = base + slot.guard;
  }
}

void argument_arrays::copy_back(std::byte* out) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (const auto* device = std::get_if<cuda::buffer>(&memories_[i])) device->download(out + slots_[i].offset);
    if (const auto* host = std::get_if<host_memory>(&memories_[i]))
      std::memcpy(out + slots_[i].offset, host->get(), guarded_bytes(slots_[i]));
  }
}

}  // namespace lab::runner
