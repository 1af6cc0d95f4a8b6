#include "sim/runtime/memory/device_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/devices.hpp"

namespace lab::sim {

namespace {

constexpr std::size_t alignment = 256;
// Closing costs microseconds for each allocation and for each 2 MB, but milliseconds per 100 MB of small pages.
constexpr std::size_t closable_allocations = 64, closable_small = 32u << 20;

struct mapping : allocation {
  std::uintptr_t map_begin;
  std::size_t map_bytes;  // 0: not allocated here
};

std::size_t up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

using pages::huge, pages::page;

class table {
 public:
  void* add(memory_kind kind, std::size_t bytes, const char* made_by, std::optional<pages::file_piece> from = {}) {
    mapping part = place_for(kind, bytes, made_by);
    if (from && from->offset % page != part.begin % page) return nullptr;
    if (from) from->offset -= part.begin % page;
    if (!create(part, from)) return nullptr;
    all_[part.begin] = part;
    return reinterpret_cast<void*>(part.begin);
  }

  void* reserve(std::size_t bytes, const char* made_by) {
    if (up(bytes, page) > device_bytes_total()) return nullptr;
    mapping part = place_for(memory_kind::device, bytes, made_by);
    part.of_all_devices = true;
    take_place(part);
    all_[part.begin] = part;
    return reinterpret_cast<void*>(part.begin);
  }

  bool create_at(std::uintptr_t address) {
    const auto at = all_.find(address);
    return at != all_.end() && at->second.freed && create(at->second);
  }

  void register_memory(std::uintptr_t address, std::size_t bytes, memory_kind kind) {
    all_[address] = {{address, bytes, kind, ++serial_, false, false}, address, 0};
  }

  bool remove(std::uintptr_t address, memory_kind kind, memory_kind or_kind) {
    const auto at = all_.find(address);
    if (at == all_.end() || at->second.freed || (at->second.kind != kind && at->second.kind != or_kind)) return false;
    unmap(at->second);
    return true;
  }

  void remove_all(int device) {
    for (auto& [begin, m] : all_)
      if (!m.freed && m.map_bytes > 0 && m.device == device) unmap(m);
  }

  void share(std::uintptr_t address) {
    if (const auto at = all_.find(address); at != all_.end()) at->second.of_all_devices = true;
  }

  // Protects the memory of other devices to which this one has no access.
  void protect_others(int device, int protection) {
    for (const auto& [begin, m] : all_)
      if (!m.freed && m.kind == memory_kind::device && !m.of_all_devices && !can_access(device, m.device))
        mprotect(reinterpret_cast<void*>(m.map_begin), m.map_bytes, protection);
  }

  bool forget(std::uintptr_t address) {
    const auto at = all_.find(address);
    return at != all_.end() && at->second.map_bytes == 0 && all_.erase(address) > 0;
  }

  // The mapping that begins at or before an address, and the next one.
  const mapping* at_or_before(std::uintptr_t address) const {
    auto after = all_.upper_bound(address);
    return after == all_.begin() ? nullptr : &std::prev(after)->second;
  }
  const mapping* after(std::uintptr_t address) const {
    const auto next = all_.upper_bound(address);
    return next == all_.end() ? nullptr : &next->second;
  }

  void open() {
    if (open_++ == 0 && closed_) set_all(PROT_READ | PROT_WRITE);
    closed_ = false;
  }
  void close() {
    const bool costly = small_ > closable_small || all_.size() > closable_allocations;
    if (--open_ > 0 || (costly && !trace::enabled())) return;
    set_all(PROT_NONE);
    closed_ = true;
  }

  bool is_device_memory(std::uintptr_t begin, std::size_t bytes) const {
    auto at = all_.upper_bound(begin);
    if (at != all_.begin()) --at;
    for (; at != all_.end() && at->first < begin + bytes; ++at)
      if (!at->second.freed && at->second.kind == memory_kind::device && at->first + at->second.bytes > begin)
        return true;
    return false;
  }

  std::size_t used() const { return used_; }
  std::mutex guard;

 private:
  mapping place_for(memory_kind kind, std::size_t bytes, const char* made_by) {
    const std::size_t size = up(bytes, page);
    const std::uintptr_t at = up(next_, size >= huge ? huge : page), begin = at + size - up(bytes, alignment);
    return {{begin, bytes, kind, serial_ + 1, true, true, made_by, current_device()}, at, size};
  }

  void take_place(const mapping& part) {
    next_ = std::max(next_, part.map_begin + part.map_bytes + page);
    serial_ = std::max(serial_, part.serial);
  }

  bool create(mapping& part, std::optional<pages::file_piece> from = {}) {
    const std::size_t size = part.map_bytes;
    if (used_ + size > device_bytes_total()) return false;
    if (!(from ? pages::map(part.map_begin, size, *from) : pages::map(part.map_begin, size))) return false;
    take_place(part);
    used_ += size;
    if (part.kind == memory_kind::device) small_ += size < huge ? size : 0;
    part.freed = false;
    trace::allocated(part.begin, part.bytes, part.serial, part.kind != memory_kind::device);
    if (part.kind == memory_kind::device && open_ == 0) protect(part, PROT_NONE);
    return true;
  }

  void unmap(mapping& part) {
    trace::freed(part.begin);
    munmap(reinterpret_cast<void*>(part.map_begin), part.map_bytes);
    used_ -= part.map_bytes;
    if (part.kind == memory_kind::device && part.map_bytes < huge) small_ -= part.map_bytes;
    part.freed = true;
  }

  void protect(const mapping& part, int protection) {
    mprotect(reinterpret_cast<void*>(part.map_begin), part.map_bytes, protection);
    if (protection == PROT_NONE) closed_ = true;
  }
  void set_all(int protection) {
    for (const auto& [begin, m] : all_)
      if (!m.freed && m.kind == memory_kind::device) protect(m, protection);
  }

  std::map<std::uintptr_t, mapping> all_;
  std::uintptr_t next_ = arena_begin;
  std::size_t used_ = 0, small_ = 0;
  unsigned serial_ = 0;
  int open_ = 0;
  bool closed_ = false;
};

table& memory() {
  static auto* const the = new table;  // never destroyed: a destructor may still call cudaFree
  return *the;
}

std::uintptr_t number(const volatile void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::string name_of(const allocation& found) {
  const char* const made[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaGetSymbolAddress"};
  const std::string call = found.made_by ? found.made_by : made[static_cast<int>(found.kind)];
  return "allocation " + std::to_string(found.serial) + " (" + call + ", " + std::to_string(found.bytes) + " bytes" +
         (device_count() > 1 ? ", device " + std::to_string(found.device) : std::string{}) + ")";
}

}  // namespace

void* allocate(memory_kind kind, std::size_t bytes, const char* made_by) {
  const std::lock_guard lock{memory().guard};
  return memory().add(kind, bytes, made_by);
}

void* allocate(std::size_t bytes, pages::file_piece from) {
  const std::lock_guard lock{memory().guard};
  return memory().add(memory_kind::device, bytes, nullptr, from);
}

void* reserve(std::size_t bytes, const char* made_by) {
  const std::lock_guard lock{memory().guard};
  return memory().reserve(bytes, made_by);
}

bool allocate_at(void* pointer) {
  const std::lock_guard lock{memory().guard};
  return memory().create_at(number(pointer));
}

bool release(void* pointer, memory_kind kind, memory_kind or_kind) {
  const std::lock_guard lock{memory().guard};
  return memory().remove(number(pointer), kind, or_kind);
}

void register_memory(const void* pointer, std::size_t bytes, memory_kind kind) {
  const std::lock_guard lock{memory().guard};
  memory().register_memory(number(pointer), bytes, kind);
}

bool unregister_memory(const void* pointer) {
  const std::lock_guard lock{memory().guard};
  return memory().forget(number(pointer));
}

void release_all(int device) {
  const std::lock_guard lock{memory().guard};
  memory().remove_all(device);
}

void share_with_devices(const void* pointer) {
  const std::lock_guard lock{memory().guard};
  memory().share(number(pointer));
}

own_memory::own_memory(int device) : device_{device} {
  if (device_count() == 1) return;
  const std::lock_guard lock{memory().guard};
  memory().protect_others(device_, PROT_NONE);
}

own_memory::~own_memory() {
  if (device_count() == 1) return;
  const std::lock_guard lock{memory().guard};
  memory().protect_others(device_, PROT_READ | PROT_WRITE);
}

std::optional<allocation> find(const volatile void* pointer) {
  const std::lock_guard lock{memory().guard};
  const mapping* m = memory().at_or_before(number(pointer));
  if (!m || m->freed || number(pointer) - m->begin >= m->bytes) return {};
  return *m;
}

place describe(std::uintptr_t address) {
  if (address < 65536)
    return {"a null pointer" + (address ? " plus " + std::to_string(address) + " bytes" : std::string{})};
  const std::lock_guard lock{memory().guard};
  const mapping *before = memory().at_or_before(address), *after = memory().after(address);
  const std::size_t past = before ? address - before->begin : SIZE_MAX,
                    ahead = after ? after->begin - address : SIZE_MAX;
  if (before && past < before->bytes)
    return {"byte " + std::to_string(past) + " of " + (before->freed ? "freed " : "") + name_of(*before), before->freed,
            true};
  if (before && past - before->bytes < huge && past - before->bytes <= ahead)
    return {std::to_string(past - before->bytes) + " bytes past the end of " + name_of(*before), before->freed, true};
  if (after && ahead < huge)
    return {std::to_string(ahead) + " bytes before the start of " + name_of(*after), after->freed, true};
  return {"no allocation is near"};
}

bool is_device_memory(std::uintptr_t begin, std::size_t bytes) {
  if (begin >= arena_end || begin + bytes <= arena_begin) return false;
  const std::lock_guard lock{memory().guard};
  return memory().is_device_memory(begin, bytes);
}

std::size_t device_bytes_used() {
  const std::lock_guard lock{memory().guard};
  return memory().used();
}

std::size_t device_bytes_total() {
  static const std::size_t total =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
  return total;
}

void open_device_memory() {
  const std::lock_guard lock{memory().guard};
  memory().open();
}

void close_device_memory() {
  const std::lock_guard lock{memory().guard};
  memory().close();
}

}  // namespace lab::sim
