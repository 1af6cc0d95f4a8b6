#include "grade/mutation/mutants.hpp"

#include <fstream>

#include "catch.hpp"
#include "grade/mutation/equivalent.hpp"
#include "lab/lab_definition.hpp"
#include "support/temporary_folder.hpp"
#include "text/source_text.hpp"

using namespace lab;
using namespace lab::grade;

namespace {

// "kind: line with the mistake", for each mutant.
std::vector<std::string> made_of(const std::string& source) {
  std::vector<std::string> all;
  for (const auto& one : mutants_of(source)) all.push_back(std::string{word(one.kind)} + ": " + one.after);
  return all;
}

using list = std::vector<std::string>;

std::vector<equivalent_mutant> read(const std::string& text) {
  const temporary_folder folder{"test"};
  std::ofstream{folder.path() / "list.txt"} << text;
  return equivalent_mutants(folder.path() / "list.txt");
}

}  // namespace

TEST_CASE("comments, strings and directives are no code, and positions stay", "[mutation]") {
  const std::string source =
      "#include <a>\nint x = 1;  // x < 2\nputs(\"a < b\");\n#define A \\\n  1 < 2\n/* 3\n< */ y;\n";
  const auto code = only_code(source);
  CHECK(code.size() == source.size());
  CHECK(code.find('<') == std::string::npos);
  CHECK(code.find("int x = 1;") == source.find("int x = 1;"));
  CHECK(code.find("y;") == source.find("y;"));
  CHECK(only_code("int n = 1'000;  // c").starts_with("int n = 1'000;"));
}

TEST_CASE("a comparison of two operands is changed, a launch, a template or a pointer is not", "[mutation]") {
  CHECK(made_of("while (i <= n) f();") == list{"relation: while (i < n) f();", "statement: while (i <= n) ;"});
  CHECK(made_of("if_not (a && b);") == list{"relation: if_not (a || b);"});
  CHECK(made_of("k<<<grid, block>>>(in, out)").empty());
  CHECK(made_of("float* a;").empty());
}

TEST_CASE("arithmetic, dimensions and constants are changed one at a time", "[mutation]") {
  CHECK(made_of("int i = blockIdx.x * n;") == list{"dimension: int i = blockIdx.y * n;",
                                                   "arithmetic: int i = blockIdx.x / n;",
                                                   "arithmetic: int i = blockIdx.x + n;"});
  CHECK(made_of("int a[32];") == list{"constant: int a[33];", "constant: int a[31];"});
  CHECK(made_of("int a = 0;") == list{"constant: int a = 1;"});
  CHECK(made_of("float x = 1.5f;").empty());
  CHECK(made_of("float4 v2;").empty());
}

TEST_CASE("a barrier is left out, and an atomic becomes plain", "[mutation]") {
  CHECK(made_of("  __syncthreads();  // why") == list{"barrier: ;  // why"});
  CHECK(made_of("atomicAdd(&bins[f(a, b)], n)") == list{"atomic: (*(&bins[f(a, b)]) += n)"});
  CHECK(made_of("atomicCAS(&lock, a, b)").empty());
}

TEST_CASE("a condition becomes true and false, and a statement is left out", "[mutation]") {
  CHECK(made_of("if (i) return;") == list{"condition: if (true) return;", "condition: if (false) return;"});
  CHECK(made_of("  c[i] = a[i];") == list{"statement: ;"});
  CHECK(made_of("  launch(a, b);") == list{"statement: ;"});
  CHECK(made_of("  const int i = f(x);").empty());
  CHECK(made_of("  return f(x);").empty());
}

TEST_CASE("what only prints stays as it is", "[mutation]") {
  CHECK(made_of("  if (status != cudaSuccess) std::printf(\"%d\\n\", n + 1);").empty());
  CHECK(made_of("  printf(\"%d\\n\",\n         n + 1);\n  a = b - c;") ==
        list{"statement: ;", "arithmetic: a = b + c;"});
}

TEST_CASE("a mutant knows its line and is the source but for that", "[mutation]") {
  const auto all = mutants_of("int f() {\n  int s = a + b;\n  return s;\n}\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].line == 2);
  CHECK(all[0].before == "int s = a + b;");
  CHECK(all[0].text == "int f() {\n  int s = a - b;\n  return s;\n}\n");
}

TEST_CASE("the list of equivalent mutants is read, and a line out of place is named", "[mutation]") {
  const auto all = read("- if (a) f();\n+ if (true) f();\nIt never matters.\n\n- x\n+ y\nSame.\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].before == "if (a) f();");
  CHECK(all[0].after == "if (true) f();");
  CHECK(all[1].reason == "Same.");
  CHECK(read("").empty());
  const auto group = read("- x\n+ y\n+ z\nSame.\n\n- a\n+ b\nOther.\n");
  REQUIRE(group.size() == 3);
  CHECK(group[1].before == "x");
  CHECK(group[1].after == "z");
  CHECK(group[0].reason == "Same.");
  CHECK(group[2].reason == "Other.");
  CHECK_THROWS_AS(read("- x\n+ y\n"), usage_error);
  CHECK_THROWS_AS(read("- x\nSame.\n"), usage_error);
  CHECK_THROWS_AS(read("if (a)\n"), usage_error);
}
