#include <utility>

#include "catch.hpp"
#include "sim/runtime/traffic/access_cost.hpp"

using namespace lab::sim;

namespace {

constexpr unsigned all_lanes = ~0u;

// 32 addresses: lane L accesses word L % words.
struct crowd {
  std::uint64_t address[32];
  explicit crowd(unsigned words) {
    for (unsigned lane = 0; lane < 32; ++lane) address[lane] = 4096 + lane % words * 4;
  }
  warp_access access(std::uint32_t mask) const { return {mask, 4, address}; }
};

}  // namespace

TEST_CASE("equal addresses of a warp count once") {
  CHECK(distinct_addresses(crowd{32}.access(all_lanes)) == 32);
  CHECK(distinct_addresses(crowd{5}.access(all_lanes)) == 5);
  CHECK(distinct_addresses(crowd{1}.access(all_lanes)) == 1);
}

TEST_CASE("the largest crowd is the lanes at the address that most lanes share") {
  CHECK(largest_crowd(crowd{32}.access(all_lanes)) == 1);
  CHECK(largest_crowd(crowd{5}.access(all_lanes)) == 7);  // words 0 and 1 have seven lanes, the others six
  CHECK(largest_crowd(crowd{1}.access(all_lanes)) == 32);
}

TEST_CASE("inactive lanes are in no crowd and count no address") {
  CHECK(distinct_addresses(crowd{32}.access(0x8000'0001)) == 2);
  CHECK(distinct_addresses(crowd{32}.access(0)) == 0);
  CHECK(largest_crowd(crowd{5}.access(0b100001)) == 2);  // lanes 0 and 5 share word 0
  CHECK(largest_crowd(crowd{5}.access(0b000011)) == 1);
  CHECK(largest_crowd(crowd{1}.access(0)) == 0);
}

// Words 0 and 32 lie in one bank; the shortcut for accesses without conflicts must see it in lanes 0 and 31 too.
TEST_CASE("two words of one bank conflict in whichever lanes they are") {
  crowd same{32};
  for (auto& one : same.address) one = 0;
  same.address[31] = 128;
  CHECK(shared_cost(same.access(0x8000'0001), true).wavefronts == 2);
  CHECK(shared_cost(same.access(0x4000'0001), true).wavefronts == 1);
  same.address[0] = 31 * 4;
  same.address[1] = 63 * 4;
  CHECK(shared_cost(same.access(0b11), true).wavefronts == 2);
  std::swap(same.address[0], same.address[1]);
  CHECK(shared_cost(same.access(0b11), true).wavefronts == 2);
}
