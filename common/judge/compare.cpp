#include "judge/compare.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/parallel.hpp"

namespace lab::judge {

namespace {

constexpr std::int64_t chunk = 1 << 16;

template <class T>
bool within(T actual, T expected, double magnitude, const tolerance& allow) {
  if (actual == expected) return true;
  if constexpr (std::is_floating_point_v<T>) {
    // An infinite bound, relative to an infinity or by overflow, would make everything right.
    if (!std::isfinite(expected) || !std::isfinite(actual)) return false;
    double bound = allow.absolute + allow.relative * std::abs(double{expected});
    if (std::isfinite(magnitude))
      bound += allow.accumulated * double{std::numeric_limits<float>::epsilon()} * magnitude;
    return std::abs(double{actual} - double{expected}) <= bound;
  }
  return false;
}

template <class T>
element_state judge_element(const output_view& output, const tolerance& allow, std::int64_t i) {
  const double magnitude = output.magnitude.empty() ? 0.0 : static_cast<double>(load_element<T>(output.magnitude, i));
  if (within(load_element<T>(output.actual, i), load_element<T>(output.expected, i), magnitude, allow))
    return element_state::right;
  const auto at = static_cast<std::size_t>(i) * sizeof(T);
  return std::memcmp(output.actual.data() + at, output.before.data() + at, sizeof(T)) == 0 ? element_state::untouched
                                                                                           : element_state::wrong;
}

// Calls f(begin, end) for chunks of [0, total) on all cores.
template <class F>
void by_chunks(std::int64_t total, F f) {
  parallel_for((total + chunk - 1) / chunk, [&](std::int64_t c) { f(c * chunk, std::min(total, (c + 1) * chunk)); });
}

template <class T>
bool all_right(const output_view& output, const tolerance& allow, std::int64_t total) {
  std::atomic<bool> right{true};
  by_chunks(total, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && right; ++i)
      if (judge_element<T>(output, allow, i) != element_state::right) right = false;
  });
  return right;
}

template <class T>
comparison compare_as(const output_view& output, const tolerance& allow) {
  comparison c;
  c.total = static_cast<std::int64_t>(output.expected.size() / sizeof(T));
  if (all_right<T>(output, allow, c.total)) return c;
  c.states.resize(static_cast<std::size_t>(c.total));
  by_chunks(c.total, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) c.states[i] = judge_element<T>(output, allow, i);
  });
  for (std::int64_t i = 0; i < c.total; ++i) {
    if (c.states[i] == element_state::right) continue;
    if (c.first < 0) c.first = i;
    ++c.wrong;
    c.untouched += c.states[i] == element_state::untouched;
  }
  return c;
}

}  // namespace

comparison compare(const output_view& output, const tolerance& allow) {
  const auto bytes = output.expected.size();
  const bool magnitude_fits = output.magnitude.empty() || output.magnitude.size() == bytes;
  if (output.actual.size() != bytes || output.before.size() != bytes || !magnitude_fits)
    throw std::logic_error("comparing arrays of different sizes");
  return with_element(output.type, [&](auto zero) { return compare_as<decltype(zero)>(output, allow); });
}

}  // namespace lab::judge
