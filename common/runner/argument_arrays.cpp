#include "runner/argument_arrays.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

// The simulator has it.
extern "C" void* lab_sim_malloc_of_file(int file, std::size_t offset, std::size_t bytes) __attribute__((weak));

namespace lab::runner {

namespace {

constexpr std::size_t alignment = 256;  // cudaMalloc guarantees it

std::size_t guarded_bytes(const protocol::slot& slot) { return slot.guard + slot.bytes + slot.guard; }

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// A call whose arrays do not come back runs a sample of its blocks, which accesses little of a large array. The
// simulator needs no copy of it, and nothing in an output.
cuda::buffer device_copy(const protocol::slot& slot, const mapping& in, bool discarded) {
  constexpr std::size_t large = 2u << 20;
  constexpr int zeros = -1;
  const std::size_t bytes = guarded_bytes(slot);
  if (discarded && lab_sim_malloc_of_file && bytes >= large)
    if (void* const made = lab_sim_malloc_of_file(slot.blank ? zeros : in.descriptor(), slot.offset, bytes))
      return cuda::buffer{static_cast<std::byte*>(made), bytes};
  cuda::buffer copy{bytes};
  if (!slot.blank) copy.upload(in.data() + slot.offset);
  return copy;
}

}  // namespace

argument_arrays::argument_arrays(const protocol::request& request, const mapping& in)
    : slots_{request.slots, request.slot_count}, memories_(slots_.size()), pointers_(slots_.size()) {
  if (request.pooled) {
    pool_ = cuda::buffer{request.file_bytes};
    pool_.upload(in.data());
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto& slot = slots_[i];
    if (slot.kind == protocol::slot_kind::scalar) continue;
    std::byte* const base = request.pooled ? pool_.data() + slot.offset : allocate(i, request, in);
    pointers_[i] = base + slot.guard;
  }
}

std::byte* argument_arrays::allocate(std::size_t number, const protocol::request& request, const mapping& in) {
  const auto& slot = slots_[number];
  if (!request.host_pointers)
    return memories_[number].emplace<cuda::buffer>(device_copy(slot, in, request.discards)).data();
  auto* const base = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded_up(guarded_bytes(slot))));
  if (!base) throw std::bad_alloc();
  memories_[number] = host_memory{base};
  std::memcpy(base, in.data() + slot.offset, guarded_bytes(slot));
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
