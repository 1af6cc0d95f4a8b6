#include "bench/drawn_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab::judge {

namespace {

constexpr double least_bytes = 1024;
constexpr double largest_extent = std::numeric_limits<int>::max();

enum class extent_kind { power_of_two, odd, prime, any };
constexpr int extent_kinds = 4;

bool is_prime(int n) {
  for (int divisor = 2; divisor <= n / divisor; ++divisor)
    if (n % divisor == 0) return false;
  return n > 1;
}

// The largest number of this kind up to `extent`; 1 if there is none.
int largest_of(extent_kind kind, int extent) {
  switch (kind) {
    case extent_kind::power_of_two:
      return 1 << static_cast<int>(std::log2(extent));
    case extent_kind::odd:
      return extent % 2 ? extent : extent - 1;
    case extent_kind::prime:
      while (extent > 1 && !is_prime(extent)) --extent;
      return extent;
    case extent_kind::any:
      break;
  }
  return extent;
}

int limit_of(const launcher_spec& launcher, std::size_t axis) {
  return axis < launcher.drawn_up_to.axes() ? launcher.drawn_up_to[axis] : 0;
}

bool within(const problem_cost& cost, double bytes, double operations) {
  return cost.bytes <= bytes && cost.operations <= operations;
}

}  // namespace

std::string_view placement_word(zones placement) {
  return placement == zones::pooled ? "pooled" : placement == zones::misaligned ? "misaligned" : "separate";
}

size_drawer::size_drawer(const launcher_spec& launcher, most_work most, unsigned count, std::uint64_t seed)
    : launcher_{launcher}, most_{most}, count_{count}, engine_{seed} {}

// The logarithm of each extent, up to a common factor; of a limited axis the logarithm itself. With extreme aspect
// ratios, one axis has nearly all.
std::vector<double> size_drawer::directions() {
  const bool extreme = turn_ % 3 == 2;
  std::vector<double> all;
  std::vector<std::size_t> free;
  for (std::size_t axis = 0; axis < launcher_.axes.size(); ++axis) {
    const int limit = limit_of(launcher_, axis);
    if (limit == 0) free.push_back(axis);
    all.push_back(limit > 0 ? uniform(0, std::log(limit + 1.0)) : extreme ? uniform(0, 0.3) : uniform(0.7, 1.3));
  }
  if (extreme && !free.empty()) all[free[engine_() % free.size()]] = 1;
  return all;
}

problem_size size_drawer::scaled(const std::vector<double>& directions, double length) const {
  std::vector<int> extents;
  for (std::size_t axis = 0; axis < directions.size(); ++axis) {
    const int limit = limit_of(launcher_, axis);
    const double extent = std::exp(limit > 0 ? directions[axis] : directions[axis] * length);
    extents.push_back(static_cast<int>(std::clamp(extent, 1.0, limit > 0 ? limit : largest_extent)));
  }
  return problem_size{std::move(extents)};
}

// The longest extents in drawn directions whose cost is at most this.
problem_size size_drawer::size_of_cost(double bytes) {
  const auto along = directions();
  double fits = 0, exceeds = 2 * std::log(largest_extent);
  for (int step = 0; step < 60; ++step) {
    const double middle = (fits + exceeds) / 2;
    (within(cost_at(launcher_, scaled(along, middle)), bytes, most_.operations) ? fits : exceeds) = middle;
  }
  const auto kind = static_cast<extent_kind>(turn_ % extent_kinds);
  const auto longest = scaled(along, fits);
  std::vector<int> extents;
  for (std::size_t axis = 0; axis < longest.axes(); ++axis) extents.push_back(largest_of(kind, longest[axis]));
  return problem_size{std::move(extents)};
}

drawn_size size_drawer::next() {
  constexpr zones placements[] = {zones::guarded, zones::pooled, zones::guarded, zones::misaligned, zones::pooled};
  for (;;) {
    const double part = (turn_ % count_ + uniform(0, 1)) / count_;
    drawn_size one{size_of_cost(least_bytes * std::pow(most_.bytes / least_bytes, part)),
                   placements[turn_ % std::size(placements)]};
    if (one.placement == zones::misaligned && !misaligned_) one.placement = zones::guarded;
    ++turn_;
    if (std::ranges::find(drawn_, one.size, &drawn_size::size) != drawn_.end() && turn_ < 100 * count_) continue;
    drawn_.push_back(one);
    return one;
  }
}

}  // namespace lab::judge
