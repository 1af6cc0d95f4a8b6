#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "bench/verify/verify.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "support/temporary_folder.hpp"

using namespace lab;
using namespace lab::judge;

// Two clocks with the fake CUDA in fake_cuda/, a fake nvcc, which copies a finished launcher, and a fake of Nsight
// Compute. The fake runtime writes a line of the profiler's page for each kernel that it would profile.

namespace {

constexpr int half_a_million = 500'000, more = 750'000, too_short = 1000;

class fake_tools {
 public:
  explicit fake_tools(const std::string& ncu_does) {
    write("nvcc", fmt::format(R"(while [ "$1" != -o ]; do shift; done; exec cp {} "$2")", LIBRARY));
    write("ncu",
          fmt::format(R"(case "$*" in *--import*) while [ "$1" != --import ]; do shift; done; exec cat "$2";; esac
echo "$*" >> {}
while [ "$1" != --export ]; do shift; done
export FAKE_NCU_PAGE="$2"
while [ "${{1##*/}}" != lab-runner-cuda ]; do shift; done
{})",
                      (folder_.path() / "starts").string(), ncu_does));
    setenv("LAB_BUILD", BUILD_WITH_RUNNER, 1);
    setenv("LAB_CACHE", folder_.path().c_str(), 1);
    setenv("LAB_NVCC", (folder_.path() / "nvcc").c_str(), 1);
    setenv("LAB_NCU", (folder_.path() / "ncu").c_str(), 1);
  }

  // The command lines that started it.
  std::vector<std::string> starts() const {
    std::ifstream lines{folder_.path() / "starts"};
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  }

 private:
  void write(const std::string& name, const std::string& script) {
    const auto file = folder_.path() / name;
    std::ofstream{file} << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  temporary_folder folder_{"fake-tools"};
};

const std::string profiles = R"(exec "$@")";
const std::string is_forbidden = R"(unset FAKE_NCU_PAGE; "$@"; echo "==ERROR== ERR_NVGPUCTRPERM")";

verification verified(std::vector<problem_size> sizes, std::vector<std::string>* progress = nullptr,
                      const lab::entry& lab = lab_test::twice_lab()) {
  bench_options options;
  options.backend = backend_kind::cuda;
  options.repeats = 3;
  options.seed = 5;
  options.sizes = std::move(sizes);
  if (progress) options.progress = [=](const std::string& what) { progress->push_back(what); };
  verification result;
  verify_times(lab, lab_test::kernel("right"), options, result);
  for (const auto& row : result.rows) UNSCOPED_INFO(row.size << ": " << row.message << row.why_no_ncu);
  return result;
}

}  // namespace

TEST_CASE("one start of Nsight Compute times all rows, each by its own calls, and says which is next") {
  const fake_tools tools{profiles};
  std::vector<std::string> progress;
  const auto result = verified({{half_a_million}, {more}}, &progress);
  REQUIRE(result.rows.size() == 2);
  for (const auto& row : result.rows) {
    INFO(row.message << row.why_no_ncu);
    CHECK(row.clock == second_clock::ncu);
    CHECK(row.second.count == row.first.count);
    CHECK_FALSE(row.differs());
  }
  CHECK(result.rows[0].second.median == 0.5);  // the fake profiler's nanosecond for each element
  CHECK(result.rows[1].second.median == 0.75);
  CHECK(tools.starts().size() == 1);
  CHECK(std::ranges::count(progress, "twice 500000 by two clocks, 1 of 2") == 1);
  CHECK(std::ranges::count(progress, "twice 750000 by two clocks, 2 of 2") == 1);
}

TEST_CASE("the profiler leaves the clocks and the caches as the runner leaves them") {
  const fake_tools tools{profiles};
  verified({{half_a_million}});
  const auto starts = tools.starts();
  REQUIRE(starts.size() == 1);
  CHECK(lab_test::contains(starts[0], "--clock-control none"));
  CHECK(lab_test::contains(starts[0], "--cache-control none"));
  CHECK(lab_test::contains(starts[0], "--profile-from-start off"));
}

TEST_CASE("a time that is not judged gets no second clock") {
  const fake_tools tools{profiles};
  const auto result = verified({{too_short}});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].verdict == verdict_kind::pass);
  CHECK(result.rows[0].clock == second_clock::none);
  CHECK(tools.starts().empty());
  CHECK_FALSE(to_json(result)["results"][0].contains("second_ms"));
}

TEST_CASE("where the counters may not be read, loops are the second clock of all rows") {
  const fake_tools tools{is_forbidden};
  const auto result = verified({{half_a_million}, {more}});
  REQUIRE(result.rows.size() == 2);
  for (const auto& row : result.rows) {
    CHECK(row.clock == second_clock::loop);
    CHECK(row.second.count == 7);
    CHECK(lab_test::contains(row.why_no_ncu, "may not read the GPU's performance counters"));
  }
  CHECK(tools.starts().size() == 1);
}

TEST_CASE("a large size is left out where a smaller one was judged, unless it is asked for") {
  const fake_tools tools{profiles};
  auto lab = lab_test::twice_lab();
  auto& launcher = lab.definition.launchers[0];
  launcher.time_sizes = {{more}, {half_a_million}};
  launcher.cost = [](const problem_size& size) { return problem_cost{.bytes = 500.0 * size[0], .operations = 1}; };
  const auto own = verified({}, nullptr, lab);
  REQUIRE(own.rows.size() == 2);
  CHECK(own.rows[0].size == "500000");
  CHECK(own.rows[0].judged());
  CHECK(own.rows[1].verdict == verdict_kind::skipped);
  CHECK(own.rows[1].message == "a smaller size was timed; --size 750000 times this one too");
  CHECK(verified({{half_a_million}, {more}}, nullptr, lab).rows.at(1).judged());
}
