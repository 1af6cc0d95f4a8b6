#include "sim/runtime/execution/fiber.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>
#include <utility>

namespace lab::sim {

namespace {

// A stride that is no power of two: otherwise the tops of all stacks compete for the same lines of the second cache.
constexpr std::size_t page_bytes = 4096, stack_bytes = 33 * page_bytes, stacks_of_group = 32;
constexpr int most_guards = 16000;  // each splits a mapping, and Linux allows about 65,000 mappings
std::atomic<int> guards = 0;

}  // namespace

void fiber_pool::grow() {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void* const memory = mmap(nullptr, stacks_of_group * stack_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  groups_.push_back(memory);
  for (std::size_t i = stacks_of_group; i-- > 0;) {
    char* const stack = static_cast<char*>(memory) + i * stack_bytes;
    if (guards < most_guards) ++guards, ++guards_, mprotect(stack, page_bytes, PROT_NONE);
    auto f = std::make_unique<fiber>();
    // Stacks that end at the same offset of a page compete for the same cache lines.
    const std::size_t colour = (all_.size() * 5 % 64) * 192;
    f->stack_top = stack + stack_bytes - colour;
    f->stack = {stack + page_bytes, stack_bytes - colour - page_bytes};
    free_.push_back(f.get());
    all_.push_back(std::move(f));
  }
}

fiber_pool::~fiber_pool() {
  for (void* const g : groups_) munmap(g, stacks_of_group * stack_bytes);
  guards -= guards_;
}

void fiber_pool::swap(fiber_pool& other) noexcept {
  all_.swap(other.all_);
  free_.swap(other.free_);
  groups_.swap(other.groups_);
  std::swap(guards_, other.guards_);
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
