#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The position of a thread: a hash of its active calls and of the iterations of its active loops.
class call_path {
 public:
  /// Loops iterate more often than this is asked for.
  std::uint64_t context() const {
    if (frames_.empty()) return 0;
    const frame& last = frames_.back();
    return last.iterations > 0 ? mixed(last.context, last.iterations) : last.context;
  }
  /// Whether the thread is in the second or a later iteration of a loop.
  bool repeating() const { return repeating_ > 0; }

  void restart() {
    repeating_ = 0;
    frames_.clear();
  }
  void enter_loop() { frames_.push_back({context(), 0}); }
  void iterate() {
    if (!frames_.empty()) repeating_ += ++frames_.back().iterations == 2;
  }
  void call(const void* pc) { frames_.push_back({mixed(context(), reinterpret_cast<std::uintptr_t>(pc)), 0}); }
  /// Leaves a loop or a call.
  void leave() {
    if (frames_.empty()) return;
    repeating_ -= frames_.back().iterations >= 2;
    frames_.pop_back();
  }

 private:
  // A loop or a call, with its context before the first iteration.
  struct frame {
    std::uint64_t context;
    std::uint32_t iterations;
  };

  static std::uint64_t mixed(std::uint64_t state, std::uint64_t added) {
    return (state ^ added) * 0xff51afd7ed558ccd + (state >> 29);
  }

  int repeating_ = 0;  // active loops beyond their first iteration
  std::vector<frame> frames_;
};

}  // namespace lab::sim
