#include <sys/resource.h>

#include <set>

#include "catch.hpp"
#include "sim/runtime/execution/fiber.hpp"

using namespace lab::sim;

namespace {

std::set<const void*> stacks_taken(fiber_pool& pool, int threads) {
  std::set<const void*> all;
  for (int i = 0; i < threads; ++i) all.insert(pool.take()->stack.bottom);
  return all;
}

long faults_so_far() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

// Page faults of a pool whose threads use their stacks.
long faults_of_a_pool(int threads) {
  fiber_pool pool;
  const long before = faults_so_far();
  for (int i = 0; i < threads; ++i) static_cast<volatile char*>(pool.take()->stack_top)[-1] = 1;
  return faults_so_far() - before;
}

}  // namespace

TEST_CASE("a pool has the stacks of one that has ended, which cost no page faults") {
  CHECK(faults_of_a_pool(960) >= 960);
  CHECK(faults_of_a_pool(960) < 480);
}

TEST_CASE("pools at the same time share no stack") {
  fiber_pool one, other;
  auto all = stacks_taken(one, 40);
  all.merge(stacks_taken(other, 40));
  CHECK(all.size() == 80);
}
