#include "sim/runtime/execution/fiber.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace lab::sim {

namespace {

// A stride that is no power of two: otherwise the tops of all stacks compete for the same lines of the second cache.
constexpr std::size_t page_bytes = 4096, stack_bytes = 33 * page_bytes, stacks_of_group = 32;
constexpr std::size_t most_guards = 16000;  // each splits a mapping, and Linux allows about 65,000 mappings

// The groups of stacks that may wait for the next pool: those of 132 blocks with 496 threads each, or a sixth of the
// memory that the process may map.
std::size_t most_kept() {
  rlimit space{};
  getrlimit(RLIMIT_AS, &space);
  return std::min<std::size_t>(2048, space.rlim_cur / 6 / (stacks_of_group * stack_bytes));
}

// Stacks outlive the pools that had them. A cooperative launch has a pool for each of its blocks, and most of its time
// would go into mapping and touching fresh stacks: 50 launches of 132 blocks with 256 threads took 12 s, not 0.7 s.
class unused_stacks {
 public:
  stack_group take() {
    const std::lock_guard lock{guard_};
    if (kept_.empty()) return map();
    const stack_group last = kept_.back();
    kept_.pop_back();
    return last;
  }

  void give_back(const stack_group& group) {
    const std::lock_guard lock{guard_};
    if (kept_.size() < most_kept_) return kept_.push_back(group);
    munmap(group.memory, stacks_of_group * stack_bytes);
    if (group.guarded) guards_ -= stacks_of_group;
  }

 private:
  stack_group map() {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void* const memory = mmap(nullptr, stacks_of_group * stack_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc{};
    const stack_group made{static_cast<char*>(memory), mapped_++, guards_ + stacks_of_group <= most_guards};
    for (std::size_t i = 0; i < stacks_of_group && made.guarded; ++i)
      ++guards_, mprotect(made.memory + i * stack_bytes, page_bytes, PROT_NONE);
    return made;
  }

  std::mutex guard_;
  std::vector<stack_group> kept_;
  std::size_t most_kept_ = most_kept(), mapped_ = 0, guards_ = 0;
};

// Never destroyed: pools of other OS threads may end later.
unused_stacks& unused() {
  static auto& all = *new unused_stacks;
  return all;
}

}  // namespace

void fiber_pool::grow() {
  const auto& group = groups_.emplace_back(unused().take());
  for (std::size_t i = stacks_of_group; i-- > 0;) {
    char* const stack = group.memory + i * stack_bytes;
    auto f = std::make_unique<fiber>();
    // Stacks that end at the same offset of a page compete for the same cache lines.
    const std::size_t colour = (group.number * stacks_of_group + i) * 5 % 64 * 192;
    f->stack_top = stack + stack_bytes - colour;
    f->stack = {stack + page_bytes, stack_bytes - colour - page_bytes};
    free_.push_back(f.get());
    all_.push_back(std::move(f));
  }
}

fiber_pool::~fiber_pool() {
  for (const auto& group : groups_) unused().give_back(group);
}

void fiber_pool::swap(fiber_pool& other) noexcept {
  all_.swap(other.all_);
  free_.swap(other.free_);
  groups_.swap(other.groups_);
}

fiber* fiber_pool::take() {
  if (free_.empty()) grow();
  fiber* const f = free_.back();
  free_.pop_back();
  return f;
}

void fiber_pool::take_all_back() {
  free_.clear();
  for (const auto& f : all_) free_.push_back(f.get());
}

}  // namespace lab::sim
