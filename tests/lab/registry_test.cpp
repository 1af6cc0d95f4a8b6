#include "catch.hpp"
#include "lab/lab_definition.hpp"

namespace {

const lab::registration ten{"10_grid_stride", {.title = "ten"}};
const lab::registration two{"02_transpose_naive", {.title = "two"}};
const lab::registration three{"03_transpose_shared", {.title = "three"}};

// What find() complains about, empty if it does not.
std::string complaint_about(std::string_view text) {
  try {
    lab::find(text);
    return {};
  } catch (const lab::usage_error& e) {
    return e.what();
  }
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("labs stand in the order of their numbers, however they enrolled") {
  REQUIRE(lab::labs().size() == 3);
  CHECK(lab::labs()[0].name == "02_transpose_naive");
  CHECK(lab::labs()[2].name == "10_grid_stride");
}

TEST_CASE("a lab is found by its number, with or without zeros, and by a unique part of its name") {
  for (const auto* text : {"2", "02", "naive", "02_transpose_naive"}) CHECK(lab::find(text).definition.title == "two");
  CHECK(lab::find("10").definition.title == "ten");
}

TEST_CASE("an unknown lab is a usage error that repeats what was asked") {
  CHECK(contains(complaint_about("matmul"), "\"matmul\""));
  CHECK(contains(complaint_about("77"), "\"77\""));
}

TEST_CASE("a part of several names is a usage error that names them") {
  const auto complaint = complaint_about("transpose");
  CHECK(contains(complaint, "02_transpose_naive"));
  CHECK(contains(complaint, "03_transpose_shared"));
}

TEST_CASE("a number is not mistaken for a part of another number") { CHECK_FALSE(complaint_about("0").empty()); }
