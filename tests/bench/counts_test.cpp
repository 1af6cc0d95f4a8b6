#include "bench/counts.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

kernel_counts with(const std::string& name, std::vector<std::pair<traffic, double>> values) {
  kernel_counts result{.name = name};
  for (const auto& [metric, value] : values)
    result.all[static_cast<std::size_t>(std::ranges::find(counted_metrics, metric) - counted_metrics.begin())] = value;
  return result;
}

const auto naive = with("02_transpose_naive",
                        {{traffic::load_sectors, 768}, {traffic::store_sectors, 6144}, {traffic::threads, 6144}});
const auto tiled = with("03_transpose_shared", {{traffic::load_sectors, 768},
                                                {traffic::store_sectors, 768},
                                                {traffic::shared_wavefronts, 6336},
                                                {traffic::bank_conflicts, 5952},
                                                {traffic::threads, 6144}});
const auto padded = with("", {{traffic::load_sectors, 768},
                              {traffic::store_sectors, 768},
                              {traffic::shared_wavefronts, 384},
                              {traffic::threads, 6144}});

}  // namespace

TEST_CASE("the sentence names what fell most and what rose most") {
  CHECK(
      what_changed(naive, padded) ==
      "This kernel has 8 times fewer sectors stored than 02_transpose_naive (768 instead of 6144), at the price of 384 "
      "wavefronts of shared memory.");
  CHECK(what_changed(tiled, padded) == "This kernel has no bank conflicts, and 03_transpose_shared has 5952.");
  CHECK(
      what_changed(tiled, with("", {{traffic::load_sectors, 768},
                                    {traffic::store_sectors, 1536},
                                    {traffic::shared_wavefronts, 6336},
                                    {traffic::bank_conflicts, 2976}})) ==
      "This kernel has 2 times fewer bank conflicts than 03_transpose_shared (2976 instead of 5952), but 2 times more "
      "sectors stored (1536 instead of 768).");
}

TEST_CASE("memory traffic goes before other counts, and a small change is none") {
  const auto before = with("x", {{traffic::load_sectors, 100}, {traffic::threads, 6400}});
  CHECK(what_changed(before, with("", {{traffic::load_sectors, 50}, {traffic::threads, 64}})) ==
        "This kernel has 2 times fewer sectors loaded than x (50 instead of 100).");
  CHECK(what_changed(before, with("", {{traffic::load_sectors, 98}, {traffic::threads, 64}})) ==
        "This kernel has 100 times fewer threads than x (64 instead of 6400).");
  CHECK(what_changed(before, with("", {{traffic::load_sectors, 98}, {traffic::threads, 6400}})) ==
        "This kernel and x have the same counts, within 5%.");
}

TEST_CASE("a kernel that only costs more is told so") {
  const auto before = with("x", {{traffic::load_sectors, 100}});
  CHECK(what_changed(before, with("", {{traffic::load_sectors, 300}})) ==
        "This kernel has 3 times more sectors loaded than x (300 instead of 100).");
  CHECK(what_changed(before, with("", {{traffic::load_sectors, 100}, {traffic::block_barriers, 2}})) ==
        "This kernel has 2 barriers of blocks, and x has none.");
}

TEST_CASE("without a step before, a kernel stands beside what its requests need") {
  auto one = naive;
  one.ideal = {768, 768, 0};
  CHECK(what_is_wasted(one) ==
        "This kernel has 6144 sectors stored; 768 are enough for the bytes that its requests ask for.");
  one.ideal = {768, 6144, 0};
  CHECK(what_is_wasted(one) == "Each memory request has its minimum cost; only fewer requests reduce the traffic.");
}
