#include "sim/runtime/execution/worker_pool.hpp"

#include <sys/resource.h>

#include <atomic>
#include <barrier>

#include "catch.hpp"

using namespace lab::sim;

namespace {

constexpr unsigned many_threads = 64;

// Its threads never end.
worker_pool& pool() {
  static auto* const the = new worker_pool{many_threads - 1};
  return *the;
}

long times_that_threads_slept() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_nvcsw;
}

}  // namespace

TEST_CASE("every thread of the pool takes part in work that waits for all of them") {
  for (int round = 0; round < 20; ++round) {
    std::atomic<unsigned> calls = 0;
    std::barrier met{many_threads};
    pool().run([&] {
      ++calls;
      met.arrive_and_wait();
    });
    CHECK(calls == many_threads);
  }
}

TEST_CASE("short work wakes few threads of a large pool") {
  constexpr int rounds = 1000;
  const long before = times_that_threads_slept();
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> taken = 0;
    pool().run([&] {
      while (taken.fetch_add(1) < 100) {
      }
    });
    CHECK(taken >= 100);
  }
  CHECK(times_that_threads_slept() - before < 16 * rounds);
}
