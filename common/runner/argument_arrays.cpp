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

argument_arrays::argument_arrays(const protocol::request& request, const std::byte* in)
    : slots_{request.slots, request.slot_count}, memories_(slots_.size()), pointers_(slots_.size()) {
  if (request.pooled) {
    pool_ = cuda::buffer{request.file_bytes};
    pool_.upload(in);
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto& slot = slots_[i];
    if (slot.kind == protocol::slot_kind::scalar) continue;
    std::byte* const base =
        request.pooled ? pool_.data() + slot.offset : allocate(i, request.host_pointers != 0, in + slot.offset);
    pointers_[i] = base + slot.guard;
  }
}

std::byte* argument_arrays::allocate(std::size_t number, bool on_host, const std::byte* from) {
  const auto& slot = slots_[number];
  if (!on_host) {
    auto& device = memories_[number].emplace<cuda::buffer>(guarded_bytes(slot));
    if (!slot.blank) device.upload(from);
    return device.data();
  }
  auto* const base = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded_up(guarded_bytes(slot))));
  if (!base) throw std::bad_alloc();
  memories_[number] = host_memory{base};
  std::memcpy(base, from, guarded_bytes(slot));
  return base;
}

void argument_arrays::copy_back(std::byte* out) const {
  if (pool_.size_bytes() > 0) pool_.download(out);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (const auto* device = std::get_if<cuda::buffer>(&memories_[i])) device->download(out + slots_[i].offset);
    if (const auto* host = std::get_if<host_memory>(&memories_[i]))
      std::memcpy(out + slots_[i].offset, host->get(), guarded_bytes(slots_[i]));
  }
}

}  // namespace lab::runner
