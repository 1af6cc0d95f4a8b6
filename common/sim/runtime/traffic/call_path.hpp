#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// Where a thread is: a number for its calls and the iterations of its loops.
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
  /// A loop or a call.
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

  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return (a ^ b) * 0xff51afd7ed558ccd + (a >> 29); }

  std::uint64_t context_ = 0;
  std::vector<frame> frames_;
};

}  // namespace lab::sim
