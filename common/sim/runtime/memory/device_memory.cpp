#include "sim/runtime/memory/device_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/devices.hpp"

namespace lab::sim {

namespace {

constexpr std::size_t page = 4096, huge = 2u << 20, alignment = 256;
constexpr int poison = 0xff;  // NaN as a float, -1 as an integer: an index that faults
// Filling costs 0.1 s for each GB, but an array that is filled lazily has no huge pages. Linux allows about 65,000
// mappings, so the file of poison is large.
constexpr std::size_t lazily_filled = std::size_t{2} << 30, poison_bytes = 64u << 20;
// Closing costs microseconds for each allocation and for each 2 MB, but milliseconds per 100 MB of small pages.
constexpr std::size_t closable_allocations = 64, closable_small = 32u << 20;

struct mapping : allocation {
  std::uintptr_t map_begin;
  std::size_t map_bytes;  // 0: not allocated here
};

std::size_t up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

class table {
 public:
  void* add(memory_kind kind, std::size_t bytes, const char* made_by) {
    const std::size_t size = up(bytes, page);
    if (used_ + size > device_bytes_total()) return nullptr;
    const std::uintptr_t at = up(next_, size >= huge ? huge : page);
    if (!map(at, size)) return nullptr;
    next_ = at + size + page;
    used_ += size;
    const std::uintptr_t begin = at + size - up(bytes, alignment);
    if (size < lazily_filled || !map_poison(at, size)) std::memset(reinterpret_cast<void*>(at), poison, size);
    if (kind == memory_kind::device) small_ += size < huge ? size : 0;
    all_[begin] = {{begin, bytes, kind, ++serial_, false, true, made_by, current_device()}, at, size};
    trace::allocated(begin, bytes, serial_, kind != memory_kind::device);
    if (kind == memory_kind::device && open_ == 0) protect(all_[begin], PROT_NONE);
    return reinterpret_cast<void*>(begin);
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
  static bool map(std::uintptr_t at, std::size_t size) {
    void* const wanted = reinterpret_cast<void*>(at);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void* const got = mmap(wanted, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (got == MAP_FAILED) return false;
    if (size >= huge) madvise(got, size, MADV_HUGEPAGE);
    return got == wanted;
  }

  // Maps copies of one file of poison, so that a page takes memory only when it is written.
  static bool map_poison(std::uintptr_t at, std::size_t size) {
    static const int file = poison_file();
    if (file < 0) return false;
    for (std::size_t done = 0; done < size; done += poison_bytes)
      if (mmap(reinterpret_cast<void*>(at + done), std::min(poison_bytes, size - done), PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED)
        return false;
    return true;
  }

  static int poison_file() {
    const int file = memfd_create("poison", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, poison_bytes) != 0) return -1;
    void* const all = mmap(nullptr, poison_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (all == MAP_FAILED) return -1;
    std::memset(all, poison, poison_bytes);
    munmap(all, poison_bytes);
    return file;
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
