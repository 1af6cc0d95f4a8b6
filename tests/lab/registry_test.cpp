#include <functional>

#include "catch.hpp"
#include "lab/lab_definition.hpp"

namespace {

const lab::registration ten{"10_grid_stride", {.title = "ten"}};
const lab::registration two{"02_transpose_naive", {.title = "two"}};
lab::launcher_spec launcher(const std::string& name) {
  lab::launcher_spec spec;
  spec.name = name;
  return spec;
}

const lab::registration three{"03_transpose_shared",
                              {.title = "three",
                               .launchers = {launcher("first"), launcher("second"), launcher("third")},
                               .stages = {{"easy", {"first"}}, {"hard", {"second", "third"}}}}};

// The message of a usage error; empty without one.
std::string complaint_of(const std::function<void()>& request) {
  try {
    request();
    return {};
  } catch (const lab::usage_error& error) {
    return error.what();
  }
}

std::string complaint_about(std::string_view text) {
  return complaint_of([&] { lab::find(text); });
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("labs are ordered by number, whatever their order of registration") {
  REQUIRE(lab::labs().size() == 3);
  CHECK(lab::labs()[0].name == "02_transpose_naive");
  CHECK(lab::labs()[2].name == "10_grid_stride");
}

TEST_CASE("a lab is found by its number, with or without zeros, and by a unique part of its name") {
  for (const auto* text : {"2", "02", "naive", "02_transpose_naive"}) CHECK(lab::find(text).definition.title == "two");
  CHECK(lab::find("10").definition.title == "ten");
}

TEST_CASE("an unknown lab is a usage error that repeats the request") {
  CHECK(contains(complaint_about("matmul"), "\"matmul\""));
  CHECK(contains(complaint_about("77"), "\"77\""));
}

TEST_CASE("a part of several names is a usage error that names them") {
  const auto complaint = complaint_about("transpose");
  CHECK(contains(complaint, "02_transpose_naive"));
  CHECK(contains(complaint, "03_transpose_shared"));
}

TEST_CASE("a number does not match a part of another number") { CHECK_FALSE(complaint_about("0").empty()); }

TEST_CASE("a stage is its lab with the stage's launchers only") {
  const auto& stage = lab::stage_of(lab::find("3"), 2);
  CHECK(stage.name == "03_transpose_shared");
  CHECK(lab::number_of(stage) == "03.2");
  REQUIRE(stage.definition.launchers.size() == 2);
  CHECK(stage.definition.launchers[0].name == "second");
  CHECK(&stage == &lab::stage_of(lab::find("3"), 2));
  CHECK(lab::find("3").definition.launchers.size() == 3);
}

TEST_CASE("a stage that a lab does not have is a usage error") {
  CHECK(contains(complaint_of([] { lab::stage_of(lab::find("3"), 3); }), "03.1 to 03.2"));
  CHECK(contains(complaint_of([] { lab::stage_of(lab::find("3"), 0); }), "there is no stage 0"));
  CHECK(contains(complaint_of([] { lab::stage_of(lab::find("2"), 1); }), "has no stages"));
}

TEST_CASE("stages that leave a launcher out, or name an unknown one, are refused") {
  const auto with = [](std::vector<lab::stage> stages) {
    lab::registration{"99_bad", {.launchers = {launcher("first"), launcher("second")}, .stages = std::move(stages)}};
  };
  CHECK_THROWS_AS(with({{"one", {"first"}}}), std::logic_error);
  CHECK_THROWS_AS(with({{"one", {"first"}}, {"two", {"secnd"}}}), std::logic_error);
  CHECK_THROWS_AS(with({{"one", {"first", "second"}}, {"two", {"second"}}}), std::logic_error);
  CHECK(lab::labs().size() == 3);
}

TEST_CASE("a launcher that improves on one that the lab lacks, or on one with other parameters, is refused") {
  const auto with = [](const std::string& before, std::vector<std::string> parameters) {
    auto later = launcher("second");
    later.improves_on = before;
    later.parameters = std::move(parameters);
    lab::registration{"99_bad", {.launchers = {launcher("first"), later}}};
  };
  CHECK_THROWS_AS(with("third", {}), std::logic_error);
  CHECK_THROWS_AS(with("first", {"n"}), std::logic_error);
}
