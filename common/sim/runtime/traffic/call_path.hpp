#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The position of a thread: a hash of its active calls and of the iterations of its active loops.
class call_path {
 public:
  std::uint64_t context() const { return context_; }

  void restart() {
    context_ = 0;
    frames_.clear();
  }
  void enter_loop() { frames_.push_back({context_, 0}); }
  void iterate() {
    if (frames_.empty()) return;
    frame& loop = frames_.back();
    context_ = mixed(loop.context, ++loop.iterations);
  }
  void call(const void* pc) {
    frames_.push_back({context_, 0});
    context_ = mixed(context_, reinterpret_cast<std::uintptr_t>(pc));
  }
  /// Leaves a loop or a call.
  void leave() {
    if (frames_.empty()) return;
    context_ = frames_.back().context;
    frames_.pop_back();
  }

 private:
  struct frame {
    std::uint64_t context;
    std::uint32_t iterations;
  };

  static std::uint64_t mixed(std::uint64_t state, std::uint64_t added) {
    return (state ^ added) * 0xff51afd7ed558ccd + (state >> 29);
  }

  std::uint64_t context_ = 0;
  std::vector<frame> frames_;
};

}  // namespace lab::sim
