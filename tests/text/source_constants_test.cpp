#include "text/source_constants.hpp"

#include "catch.hpp"

using namespace lab;

namespace {

// "name = value (line)" of each constant.
std::vector<std::string> found(const std::string& source) {
  std::vector<std::string> all;
  for (const auto& one : constants_in(source))
    all.push_back(one.name + " = " + one.value + " (" + std::to_string(one.line) + ")");
  return all;
}

using list = std::vector<std::string>;

}  // namespace

TEST_CASE("constants are found with value and line", "[constants]") {
  CHECK(found("// constexpr int no = 1;\nconstexpr int tile = 32;  // of a block\n") == list{"tile = 32 (2)"});
  CHECK(found("constexpr int lanes = 32, warps = 8;\n") == list{"lanes = 32 (1)", "warps = 8 (1)"});
  CHECK(found("static constexpr size_t most = 48 * 1024;") == list{"most = 48 * 1024 (1)"});
  CHECK(found("constexpr int a{3}, b = f(1, 2);") == list{"a = 3 (1)", "b = f(1, 2) (1)"});
  CHECK(found("constexpr int all = std::max(a,\n  b);\nconstexpr int c = 1;") ==
        list{"all = std::max(a,\n  b) (1)", "c = 1 (3)"});
}

TEST_CASE("functions, conditions and other words are no constants", "[constants]") {
  CHECK(found("constexpr int twice(int x) { return 2 * x; }").empty());
  CHECK(found("void f() { if constexpr (n == 3) g(); }").empty());
  CHECK(found("int not_constexpr = 3; const int plain = 4;").empty());
  CHECK(found("constexpr bool operator==(a x, b y) { return true; }").empty());
  CHECK(found("constexpr int without").empty());
}

TEST_CASE("values are exchanged and all else stays", "[constants]") {
  const std::string source = "constexpr int a = 1, b = 2;\nint c = a + b;  // a = 1\n";
  const auto all = constants_in(source);
  REQUIRE(all.size() == 2);
  CHECK(with_values(source, {{all[0], "100"}, {all[1], "7"}}) ==
        "constexpr int a = 100, b = 7;\nint c = a + b;  // a = 1\n");
  CHECK(with_values(source, {{all[1], "7"}, {all[0], "100"}}) ==
        "constexpr int a = 100, b = 7;\nint c = a + b;  // a = 1\n");
}
