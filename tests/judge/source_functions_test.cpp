#include "judge/source_functions.hpp"

#include "catch.hpp"

using lab::judge::functions_in, lab::judge::functions_unreached_from;

namespace {

const std::string source = R"(#include "lab.hpp"
#define RUN(grid) third_kernel<<<grid, 256>>>()

struct layer {
  int size() const { return 1; }
};

template <int side>
__global__ void first_kernel(int* a) {  // first_kernel() never calls second_kernel()
  if (a) { *a = side; }
}

namespace {
__global__ void __launch_bounds__(256) second_kernel(int* a) { *a = '}'; }
__global__ void third_kernel() {}
}  // namespace

constexpr int sides[] = {1, 2};
const auto half = [](int n) { return n / 2; };

static void run_second(int* a) {
  second_kernel<<<1, 1>>>(a);
}

void first(int* a) { first_kernel<32><<<half(2), 1>>>(a); }

void second(int* a) {
  run_second(a);
}
)";

std::vector<std::string> names(const std::vector<lab::judge::source_function>& functions) {
  std::vector<std::string> all;
  for (const auto& one : functions) all.push_back(one.name);
  return all;
}

using list = std::vector<std::string>;

}  // namespace

TEST_CASE("functions are found with their lines, in namespaces too; classes, arrays and lambdas are none") {
  const auto all = functions_in(source);
  CHECK(names(all) == list{"first_kernel", "second_kernel", "third_kernel", "run_second", "first", "second"});
  CHECK(all[0].first_line == 8);
  CHECK(all[0].last_line == 11);
  CHECK(all[1].first_line == 14);
  CHECK(all[1].last_line == 14);
}

TEST_CASE("a function is unreached if no function on the way names it, and no directive") {
  CHECK(names(functions_unreached_from(source, "first")) == list{"second_kernel", "run_second", "second"});
  CHECK(names(functions_unreached_from(source, "second")) == list{"first_kernel", "first"});
  CHECK(functions_unreached_from(source, "elsewhere").empty());
  CHECK(functions_in("void broken() {").empty());
}
