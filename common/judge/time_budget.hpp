#pragma once

#include <algorithm>
#include <chrono>

namespace lab::judge {

/// The wall time that a check may take.
class time_budget {
 public:
  explicit time_budget(double seconds) : seconds_{seconds} {}

  double spent() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }
  double left() const { return std::max(0.0, seconds_ - spent()); }
  bool over() const { return left() == 0; }
  double seconds() const { return seconds_; }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point begin_ = clock::now();
  double seconds_;
};

}  // namespace lab::judge
