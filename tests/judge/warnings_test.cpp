#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "judge/host_code.hpp"
#include "skip.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

struct mistake {
  std::string kernel, kind;
  std::vector<int> lines;
  std::string verdict;  // where the lab teaches to avoid it
};

const std::vector<mistake> mistakes{{"leaks", "leak", {11}, "leak"},
                                    {"uses_host_code", "host_code", {9, 10}, "compile_error"}};

}  // namespace

TEST_CASE("a leak and host code in a kernel are warnings, and errors in a lab that names them") {
  for (const auto& m : mistakes) {
    INFO(m.kernel);
    auto lab = twice_lab();
    const auto warned = check(lab, kernel(m.kernel), {});
    if (m.kind == "host_code" && !warned.source_checked) lab_test::skip("clang++ is not installed");
    CHECK(word(warned.verdict) == "pass");
    std::vector<int> lines;
    for (const auto& h : warned.hazards) {
      lines.push_back(h.line);
      CHECK(h.kind == m.kind);
      CHECK(h.severity == "warning");
    }
    CHECK(lines == m.lines);
    lab.definition.errors = {m.kind};
    const auto failed = check(lab, kernel(m.kernel), {});
    CHECK(word(failed.verdict) == m.verdict);
    CHECK(contains(failure_of(failed).message, m.kernel + ".cu:" + std::to_string(m.lines[0])));
  }
}

TEST_CASE("clang's messages count only where they tell of host code in the source itself") {
  const std::string messages =
      "k.cu:10:3: error: reference to __host__ function 'f' in __global__ function\n"
      "k.cu:11:3: error: no matching function for call to 'g'\n"
      "k.cu:4:6: note: candidate function not viable: call to __host__ function from __device__ function\n"
      "k.cu:12:3: error: use of undeclared identifier 'h'\n"
      "other.hpp:13:3: error: reference to __host__ function 'f' in __global__ function\n"
      "k.cu:10:9: error: reference to __host__ function 'f' in __global__ function\n";
  const auto found = host_code_in("k.cu", messages);
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 10);
  CHECK(found[0].message == "reference to __host__ function 'f' in __global__ function");
  CHECK(found[1].line == 11);
  CHECK(host_code_in("k.cu", "").empty());
}
