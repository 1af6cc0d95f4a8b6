#include "model/kept_counts.hpp"

#include <filesystem>

#include "build/kernel_cache.hpp"
#include "catch.hpp"
#include "lab/lab_definition.hpp"
#include "text/text_file.hpp"

using namespace lab::judge;
namespace fs = std::filesystem;

namespace {

call_counts example() {
  launch one{.kernel = "f<4>", .grid = {3, 2, 1}, .block = {64, 1, 1}};
  one.lines.push_back({.file = "kernel.cu", .line = 7, .op = "load", .space = "global", .requests = 12, .sectors = 48});
  one.blocks_run = 6;
  one.memory.push_back({.allocation = 1, .bytes = 4000, .loaded_sectors = 125});
  one.atomics.push_back({"shared", 1, 32, 2});
  kernel_profile profile{.kernel = "f<4>", .threads = 384, .instructions = 12345.25, .rounds = 0.5};
  profile.loads[{"kernel.cu", 7}] = 384;
  return {{.launches = {one}}, {profile}};
}

}  // namespace

TEST_CASE("counts are read as they were kept") {
  const std::string key = "kept_counts_test";
  keep_counts(key, example());
  const auto kept = kept_counts(key);
  REQUIRE(kept);
  CHECK(text_of(*kept) == text_of(example()));
  const auto& one = kept->trace.launches.at(0);
  CHECK(one.grid == std::array<int, 3>{3, 2, 1});
  CHECK(one.lines.at(0).sectors == 48);
  CHECK(one.memory.at(0).loaded_sectors == 125);
  CHECK(one.atomics.at(0).lanes == 32);
  CHECK(kept->profiles.at(0).instructions == 12345.25);
  CHECK(kept->profiles.at(0).loads.at({"kernel.cu", 7}) == 384);
  fs::remove(cached_file_of(key, ".counts"));
  CHECK_FALSE(kept_counts(key));
}

TEST_CASE("the file of another call is not read under this call's name") {
  keep_counts("kept_counts_test_a", example());
  const auto a = cached_file_of("kept_counts_test_a", ".counts"), b = cached_file_of("kept_counts_test_b", ".counts");
  fs::rename(a, b);
  CHECK_FALSE(kept_counts("kept_counts_test_b"));
  fs::remove(b);
}

TEST_CASE("all that decides the counts is in their key") {
  const lab::problem_size small{{10}}, large{{20}};
  const lab::entry lab{.name = "01_vector_add", .definition = {}};
  lab::launcher_spec f, g;
  f.name = "f", g.name = "g";
  const fs::path source = "kernel.cu", other = "other.cu";
  const auto key = [](const counted_call& call, const std::string& model) { return counts_key(call, model, {}); };
  const auto first = key({lab, source, f, small}, "model 1");
  CHECK(key({lab, source, f, small}, "model 1") == first);
  CHECK(key({lab, source, f, small}, "model 2") != first);
  CHECK(key({lab, other, f, small}, "model 1") != first);
  CHECK(key({lab, source, g, small}, "model 1") != first);
  CHECK(key({lab, source, f, large}, "model 1") != first);
  CHECK(key({lab, source, f, small, 0.5}, "model 1") != first);
  CHECK(key({lab, source, f, small, 1, 2}, "model 1") != first);
}
