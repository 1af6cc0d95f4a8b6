#include "lab/launcher.hpp"

#include "catch.hpp"

// The compiler's own names for these functions are what the harness must find in a shared object.
void mixed(const float*, double*, unsigned, float, long, const unsigned char*, unsigned short*) {}
void plain(int) {}

namespace {

template <class F>
lab::launcher_spec contract_for(std::string name, std::vector<std::string> parameters) {
  return lab::launcher<F>{.name = std::move(name), .parameters = std::move(parameters)};
}

using scale = void(const int* in, int* out, int* sum, int n);

lab::launcher_spec scaling() {
  return lab::launcher<scale>{
      .name = "scale",
      .parameters = {"in", "out", "sum", "n"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size& s, lab::random& r) {
            return std::tuple{r.integers<int>({s[0]}, 1, 9), lab::output<int>({s[0]}), lab::tensor<int>{{1}, {100}},
                              s[0]};
          },
      .reference =
          [](std::span<const int> in, std::span<int> out, std::span<int> sum, int n) {
            for (int i = 0; i < n; ++i) sum[0] += out[i] = 2 * in[i];
          },
  };
}

}  // namespace

TEST_CASE("a launcher's symbol is the compiler's name for it") {
  CHECK(contract_for<void(const int*, int*, int, int)>("transpose", {"a", "b", "c", "d"}).symbol ==
        "_Z9transposePKiPiii");
  CHECK(contract_for<void(const float*, const float*, float*, float*, int)>("f", {"a", "b", "c", "d", "e"}).symbol ==
        "_Z1fPKfS0_PfS1_i");
  CHECK(contract_for<decltype(mixed)>("mixed", {"a", "b", "c", "d", "e", "f", "g"}).symbol == "_Z5mixedPKfPdjflPKhPt");
  CHECK(contract_for<decltype(plain)>("plain", {"a"}).symbol == "_Z5plaini");
}

TEST_CASE("a launcher's signature reads as in lab.hpp") {
  CHECK(contract_for<void(const int*, int*, int, int)>("transpose", {"a", "b", "c", "d"}).signature ==
        "void transpose(const int*, int*, int, int)");
  CHECK(contract_for<decltype(mixed)>("mixed", {"a", "b", "c", "d", "e", "f", "g"}).signature ==
        "void mixed(const float*, double*, unsigned int, float, long, const unsigned char*, unsigned short*)");
}

TEST_CASE("a card that does not name every parameter is refused") {
  CHECK_THROWS_AS(contract_for<scale>("scale", {"in", "out"}), std::logic_error);
}

TEST_CASE("the roles of parameters follow from their types and from what make() gives them") {
  lab::random r{1};
  const auto all = scaling().make({5}, r);
  CHECK(all[0].role == lab::parameter_role::input);
  CHECK(all[1].role == lab::parameter_role::output);
  CHECK(all[2].role == lab::parameter_role::in_out);
  CHECK(all[3].role == lab::parameter_role::scalar);
  CHECK(all[1].bytes.empty());
  CHECK(all[1].size_bytes() == 20);
}

TEST_CASE("the reference computes on erased arguments") {
  const auto c = scaling();
  lab::random r{1};
  auto all = c.make({5}, r);
  lab::allocate_outputs(all);
  c.reference(all);
  int sum = 100;
  for (int i = 0; i < 5; ++i) {
    CHECK(all[1].as<int>()[i] == 2 * all[0].as<int>()[i]);
    sum += all[1].as<int>()[i];
  }
  CHECK(all[2].as<int>()[0] == sum);
}

TEST_CASE("only a signature with a floating-point parameter counts as floating") {
  CHECK_FALSE(scaling().floating);
  CHECK(contract_for<void(const int*, float*)>("f", {"a", "b"}).floating);
  CHECK(contract_for<void(int*, double)>("f", {"a", "b"}).floating);
}
