#include "catch.hpp"
#include "families/on_cpu.hpp"
#include "lab/lab_definition.hpp"
#include "labs/agreement.hpp"

using namespace lab;

// A speed-up counts only against a CPU program that is as good as the kernel.
TEST_CASE("every launcher has a fast CPU program, and the tutorials' one beside it", "[definition]") {
  for (const auto& entry : labs())
    for (const auto& launcher : entry.definition.launchers) {
      INFO(entry.name << " " << launcher.name);
      CHECK(static_cast<bool>(launcher.fast));
      CHECK(static_cast<bool>(launcher.all_threads));
    }
}

// Large enough for all threads and for stores past the caches; the check sizes are not.
TEST_CASE("fast programs agree with the reference at a size that takes all threads", "[definition]") {
  for (const auto& [name, size] : {std::pair{"01_vector_add", problem_size{3'000'001}},
                                   {"02_transpose_naive", {1999, 1003}},
                                   {"08_matvec_ata", {1003, 1999}},
                                   {"11_atomics_histogram", {3'000'001, 150}}}) {
    auto definition = find(name).definition;
    std::erase_if(definition.launchers, [&](const auto& one) { return one.axes.size() != size.axes() || !one.fast; });
    for (auto& launcher : definition.launchers) launcher.check_sizes = {size};
    REQUIRE_FALSE(definition.launchers.empty());
    for (const auto& what : lab_test::disagreements(definition)) FAIL_CHECK(name << ": " << what);
  }
}

TEST_CASE("elements that are streamed arrive, wherever the array begins", "[definition]") {
  std::vector<int> from(70), to(80);
  for (int i = 0; i < 70; ++i) from[i] = i + 1;
  for (int begin = 0; begin < 5; ++begin)
    for (int count : {0, 1, 3, 4, 5, 31, 70}) {
      std::ranges::fill(to, 0);
      families::stream(&to[begin], from.data(), count);
      families::finish_streaming();
      for (int i = 0; i < 80; ++i) REQUIRE(to[i] == (i >= begin && i < begin + count ? i - begin + 1 : 0));
    }
}
