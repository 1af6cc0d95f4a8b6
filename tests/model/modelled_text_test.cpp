#include "model/modelled_text.hpp"

#include "catch.hpp"

using namespace lab::judge;

namespace {

modelled_kernel taking(double us) {
  modelled_kernel kernel;
  kernel.time.us = us, kernel.low_us = us / 1.3, kernel.high_us = us * 1.3;
  kernel.time.largest = limit::dram;
  return kernel;
}

}  // namespace

TEST_CASE("a time is a band with its limiter, and a GPU without measurements is said to be one") {
  CHECK(modelled_time_text(taking(130), find_gpu("h200")) ==
        "100 us to 169 us on H200 (modelled), limited by DRAM throughput");
  CHECK(modelled_time_text(taking(130), find_gpu("h100_sxm")) ==
        "100 us to 169 us on H100 SXM (modelled), limited by DRAM throughput");
  auto other = find_gpu("h200");
  other.name = "t4", other.validated = false;
  CHECK(modelled_time_text(taking(13000), other) ==
        "10 ms to 16.9 ms on T4 (modelled), limited by DRAM throughput; the model is not validated for this GPU");
}

TEST_CASE("a kernel without a trusted time gets no number") {
  modelled_kernel unknown;
  unknown.problem = "it launches no kernel";
  CHECK(modelled_time_text(unknown, find_gpu("h200")) == "no modelled time: it launches no kernel");
  CHECK(modelled_comparison(taking(10), unknown, "x").empty());
  CHECK_FALSE(largest_gain(unknown, find_gpu("h200")));
}

TEST_CASE("times within 1.25 are too close to say") {
  CHECK(modelled_comparison(taking(100), taking(124), "03").find("too close to 03") == 0);
  CHECK(modelled_comparison(taking(124), taking(100), "03").find("too close to 03") == 0);
  CHECK(modelled_comparison(taking(100), taking(190), "03") == "1.9 times as fast as 03");
  CHECK(modelled_comparison(taking(190), taking(100), "03") == "1.9 times as slow as 03");
}

TEST_CASE("the largest gain names the waste that costs most") {
  const auto& gpu = find_gpu("h200");
  modelled_kernel kernel;
  kernel.demands = {{.kernel = "k", .blocks = 13200, .threads = 256}};
  kernel.demands[0].shared_wavefronts = 1e9, kernel.demands[0].bank_conflicts = 9e8;
  kernel.time = predict(kernel.demands, gpu);
  REQUIRE(largest_gain(kernel, gpu));
  CHECK(largest_gain(kernel, gpu)->change == "without bank conflicts");
  CHECK(text_of({"without bank conflicts", 1.93}) == "without bank conflicts it would be 1.9 times as fast");
  kernel.demands[0].bank_conflicts = 0;
  CHECK_FALSE(largest_gain(kernel, gpu));
}
