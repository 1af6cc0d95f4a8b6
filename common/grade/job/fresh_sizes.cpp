#include "grade/job/fresh_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace lab::grade {

namespace {

constexpr int most_tries = 5000;

using launchers = std::vector<const launcher_spec*>;

// The work at a size: bytes and operations, or the product of the extents if the lab does not say.
double work_at(const launcher_spec& launcher, const problem_size& size) {
  const auto cost = cost_at(launcher, size);
  if (cost.bytes + cost.operations > 0) return cost.bytes + cost.operations;
  double product = 1;
  for (std::size_t axis = 0; axis < size.axes(); ++axis) product *= size[axis];
  return product;
}

// Draws sizes for launchers with the same number of axes.
class size_source {
 public:
  size_source(launchers all, std::uint64_t seed) : all_{std::move(all)}, engine_{seed} {
    for (const auto* launcher : all_)
      for (const auto& size : launcher->check_sizes) add(*launcher, size);
  }

  std::vector<problem_size> draw(unsigned count) {
    std::vector<problem_size> drawn;
    for (int tries = 0; tries < most_tries && drawn.size() < count; ++tries) {
      auto size = draw_one(tries % 2 == 1);
      if (fits(size) && std::ranges::find(drawn, size) == drawn.end()) drawn.push_back(std::move(size));
    }
    return drawn;
  }

 private:
  void add(const launcher_spec& launcher, const problem_size& size) {
    if (!solvable(launcher, size)) return;
    if (least_.empty()) least_.assign(size.axes(), 1 << 30), most_.assign(size.axes(), 1);
    for (std::size_t axis = 0; axis < size.axes(); ++axis) {
      least_[axis] = std::min(least_[axis], size[axis]);
      most_[axis] = std::max(most_[axis], size[axis]);
    }
    most_work_ = std::max(most_work_, work_at(launcher, size));
  }

  // Uniform, or uniform in the logarithm, so that small extents come, too.
  problem_size draw_one(bool logarithmic) {
    std::vector<int> extents;
    for (std::size_t axis = 0; axis < least_.size(); ++axis) {
      const double low = least_[axis], high = most_[axis] + 1.0;
      const double share = std::uniform_real_distribution<double>{0, 1}(engine_);
      const double extent = logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
      extents.push_back(std::clamp(static_cast<int>(extent), least_[axis], most_[axis]));
    }
    return problem_size{std::move(extents)};
  }

  bool fits(const problem_size& size) const {
    return size.axes() > 0 && std::ranges::none_of(all_, [&](const launcher_spec* launcher) {
             return !solvable(*launcher, size) || work_at(*launcher, size) > most_work_ ||
                    std::ranges::find(launcher->check_sizes, size) != launcher->check_sizes.end();
           });
  }

  launchers all_;
  std::mt19937_64 engine_;
  std::vector<int> least_, most_;
  double most_work_ = 0;
};

}  // namespace

std::vector<problem_size> drawn_sizes(const entry& lab, unsigned count, std::uint64_t seed) {
  std::set<std::size_t> axes;
  for (const auto& launcher : lab.definition.launchers) axes.insert(launcher.axes.size());
  std::vector<problem_size> all;
  for (const auto number : axes) {
    launchers same;
    for (const auto& launcher : lab.definition.launchers)
      if (launcher.axes.size() == number) same.push_back(&launcher);
    auto drawn = size_source{std::move(same), seed + number}.draw(count);
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  return all;
}

}  // namespace lab::grade
