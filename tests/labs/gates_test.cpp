#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "build/patched_kernel.hpp"
#include "catch.hpp"
#include "judge/check.hpp"
#include "lab/lab_definition.hpp"
#include "skip.hpp"
#include "support/program_path.hpp"

// The gates are true on hardware: data/gate_costs.json has the times of kernels that violate one gate each.

using namespace lab;
namespace fs = std::filesystem;

namespace {

nlohmann::json measured_rows() {
  std::ifstream file{fs::path{TEST_FOLDER} / "data" / "gate_costs.json"};
  return nlohmann::json::parse(file)["rows"];
}

}  // namespace

TEST_CASE("every lab has a gate that fails a kernel", "[gates]") {
  for (const auto& lab : labs()) {
    INFO(lab.name);
    const auto gated = [](const launcher_spec& launcher) {
      return std::ranges::any_of(launcher.gates, [](const gate& one) { return !one.remark(); });
    };
    CHECK(std::ranges::any_of(lab.definition.launchers, gated));
  }
}

TEST_CASE("each gate says what its violation costs, as measured", "[gates]") {
  const auto rows = measured_rows();
  for (const auto& lab : labs())
    for (const auto& launcher : lab.definition.launchers)
      for (const auto& gate : launcher.gates) {
        INFO(lab.name << " " << launcher.name << " " << word(gate.metric) << " " << gate.costs);
        CHECK(std::ranges::any_of(rows, [&](const auto& row) {
          return row["lab"] == lab.name && row["size"] == gate.costs_at.name() &&
                 std::abs(row["ratio"].template get<double>() / gate.costs - 1) < 0.01;
        }));
      }
}

TEST_CASE("each kernel whose costs are recorded is here, so that it can be measured again", "[gates]") {
  const fs::path tests = fs::path{TEST_FOLDER}.parent_path();
  for (const auto& row : measured_rows()) {
    const fs::path patch = fs::path{row["lab"].get<std::string>()} / (row["kernel"].get<std::string>() + ".patch");
    INFO(patch);
    CHECK((exists(tests / "mutants" / patch) || exists(tests / "labs" / "faster" / patch)));
  }
}

TEST_CASE("no gate rejects a kernel that is as fast as the solution", "[gates]") {
  if (find_program("patch").empty()) return lab_test::skip("the program patch is not installed");
  const auto rows = measured_rows();
  int tried = 0;
  for (const auto& file : fs::recursive_directory_iterator{fs::path{TEST_FOLDER} / "faster"}) {
    if (file.path().extension() != ".patch") continue;
    const auto& lab = find(file.path().parent_path().filename().string());
    INFO(file.path());
    CHECK(std::ranges::any_of(rows, [&](const auto& row) {
      return row["lab"] == lab.name && row["kernel"] == file.path().stem().string() && row["ratio"] < gate::costly;
    }));
    const auto result = judge::check(lab, {"file", judge::patched_kernel(lab, file.path())}, {});
    CHECK(word(result.verdict) == "pass");
    ++tried;
  }
  CHECK(tried >= 5);
}
