#include <array>
#include <cstdint>

#include "lab_sim/device.h"

// PTX has addresses of 32 bits for shared memory. Here that memory is anywhere on the OS thread's side, so an address
// is the number of a window and an offset in it. Dynamic shared memory begins at 1024, because descriptors of wgmma
// have room for 18 bits only.

extern "C" __thread unsigned char lab_sim_dynamic[227 * 1024];

namespace {

constexpr std::uintptr_t dynamic_begin = 1024;

constexpr std::uintptr_t window_bytes = std::uintptr_t{1} << 24, margin = std::uintptr_t{1} << 20;

thread_local std::array<std::uintptr_t, 255> windows{};

bool is_inside(std::uintptr_t offset) { return offset >= margin && offset < window_bytes - margin; }

}  // namespace

std::size_t lab_sim::to_shared_address(const void* pointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  if (const auto offset = at - reinterpret_cast<std::uintptr_t>(lab_sim_dynamic); offset <= sizeof lab_sim_dynamic)
    return dynamic_begin + offset;
  std::size_t i = 0;
  while (i + 1 < windows.size() && windows[i] != 0 && !is_inside(at - windows[i])) ++i;
  if (!is_inside(at - windows[i])) windows[i] = (at - window_bytes / 2) & ~(margin - 1);
  return (i + 1) << 24 | (at - windows[i]);
}

void* lab_sim::from_shared_address(std::size_t address) {
  if (address >= dynamic_begin && address <= dynamic_begin + sizeof lab_sim_dynamic)
    return lab_sim_dynamic + (address - dynamic_begin);
  const auto number = (address & 0xffffffff) >> 24;
  const auto begin = number == 0 || number > windows.size() ? 0 : windows[number - 1];
  return reinterpret_cast<void*>(begin == 0 ? address : begin + (address & (window_bytes - 1)));
}
