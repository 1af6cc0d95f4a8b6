#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The position of a thread: a hash of its active calls and of the iterations of its active loops.
class call_path {
 public:
  std::uint64_t context() const { return context_; }
  /// Whether the thread is in the second or a later iteration of a loop.
  bool repeating() const { return repeating_ > 0; }

  void restart() {
    repeating_ = 0;
    context_ = 0;
    frames_.clear();
  }
  void enter_loop() { frames_.push_back({context_, 0}); }
  void iterate() {
    if (frames_.empty()) return;
    frame& loop = frames_.back();
    repeating_ += ++loop.iterations == 2;
    context_ = mixed(loop.outside, loop.iterations);
  }
  void call(const void* pc) {
    frames_.push_back({context_, 0});
    context_ = mixed(context_, reinterpret_cast<std::uintptr_t>(pc));
  }
  /// Leaves a loop or a call.
  void leave() {
    if (frames_.empty()) return;
    repeating_ -= frames_.back().iterations >= 2;
    context_ = frames_.back().outside;
    frames_.pop_back();
  }

 private:
  // A loop or a call, with the context that it was entered in.
  struct frame {
    std::uint64_t outside;
    std::uint32_t iterations;
  };

  static std::uint64_t mixed(std::uint64_t state, std::uint64_t added) {
    return (state ^ added) * 0xff51afd7ed558ccd + (state >> 29);
  }

  std::uint64_t context_ = 0;
  int repeating_ = 0;  // active loops beyond their first iteration
  std::vector<frame> frames_;
};

}  // namespace lab::sim
