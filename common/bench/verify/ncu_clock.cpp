#include "bench/verify/ncu_clock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/kernel_clock.hpp"

namespace lab::judge {

namespace {

constexpr double ncu_timeout_s = 120;

bool is_one_kernel(const replay::launch_recording& recording) {
  const auto work = std::ranges::count_if(recording.operations, [](const replay::operation& op) {
    return op.what != replay::action::attribute && op.what != replay::action::barrier;
  });
  return work == 1 && recording.operations.back().what == replay::action::launch;
}

}  // namespace

// Nsight Compute times kernels alone, without fills, copies and the gaps between kernels.
std::string ncu_clock::why_not(const launcher_spec& launcher, const test_case& test) const {
  if (ncu().empty()) return "ncu is not installed";
  if (!given_up_.empty()) return given_up_;
  if (launcher.memory == memory_space::host) return "the launcher copies its arrays itself";
  const auto known = record(options_, library_, test);
  if (!known.why_not.empty()) return known.why_not;
  return is_one_kernel(known.recording) ? "" : fmt::format("a call is {}", replay::summary(known.recording));
}

std::string ncu_clock::call(const test_case& test, measurement_plan plan, std::size_t row) {
  try {
    plan.what = protocol::command::profiled;
    if (!profiled_) profiled_.emplace(options_, library_);
    const auto end = measure(profiled_->runner(), test, plan, ncu_timeout_s).found;
    if (end.verdict == verdict_kind::pass)
      called_.push_back({row, plan.repeats});
    else
      give_up(fmt::format("under ncu it gets {}: {}", word(end.verdict), end.what));
  } catch (const runner_failure& error) {
    give_up(error.what());
  }
  return given_up_;
}

void ncu_clock::give_up(const std::string& why) { given_up_ = why.substr(0, why.find('\n')); }

std::map<std::size_t, std::vector<double>> ncu_clock::times() {
  std::map<std::size_t, std::vector<double>> by_row;
  if (called_.empty()) return by_row;
  const auto all = profiled_->finish();
  auto next = all.begin();
  for (const auto& [row, calls] : called_) {
    if (static_cast<std::size_t>(all.end() - next) < calls) throw runner_failure("ncu saw fewer kernels than calls");
    const auto end = next + static_cast<std::ptrdiff_t>(calls);
    by_row[row].assign(next, end);
    next = end;
  }
  return by_row;
}

}  // namespace lab::judge
