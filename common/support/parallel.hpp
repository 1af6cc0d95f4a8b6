#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace lab {

inline unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls body(i) for 0 <= i < n on all cores; indices are handed out one at a time, so make each a fair piece of work.
template <class Body>
void parallel_for(std::int64_t n, Body body) {
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    for (std::int64_t i; (i = next++) < n;) body(i);
  };
  std::vector<std::jthread> helpers;
  for (std::int64_t t = 1; t < std::min<std::int64_t>(cores(), n); ++t) helpers.emplace_back(work);
  work();
}

}  // namespace lab
