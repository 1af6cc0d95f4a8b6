#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "model/predict.hpp"
#include "text/text_file.hpp"

using namespace lab::judge;
using nlohmann::json;

namespace {

struct row {
  std::string task;
  double modelled = 0, recorded = 0;
  double error() const { return std::abs(modelled / recorded - 1); }
};

launch_demand demand_of(const json& j) {
  launch_demand d{.kernel = j.at("kernel")};
  const std::pair<const char*, double*> fields[] = {{"blocks", &d.blocks},
                                                    {"threads", &d.threads},
                                                    {"shared_bytes", &d.shared_bytes},
                                                    {"registers", &d.registers},
                                                    {"instructions", &d.instructions},
                                                    {"fp32", &d.fp32},
                                                    {"shared_wavefronts", &d.shared_wavefronts},
                                                    {"l1_cycles", &d.l1_cycles},
                                                    {"l1_requests", &d.l1_requests},
                                                    {"l2_sectors", &d.l2_sectors},
                                                    {"scattered_sectors", &d.scattered_sectors},
                                                    {"dram_read_bytes", &d.dram_read_bytes},
                                                    {"dram_written_bytes", &d.dram_written_bytes},
                                                    {"busiest_atomics", &d.busiest_atomics},
                                                    {"rounds", &d.rounds},
                                                    {"round_latency_share", &d.round_latency_share},
                                                    {"dram_latency_share", &d.dram_latency_share},
                                                    {"chain", &d.chain},
                                                    {"barriers", &d.barriers},
                                                    {"shared_exposures", &d.shared_exposures}};
  for (const auto& [name, field] : fields) *field = j.at(name);
  return d;
}

std::map<std::string, double> recorded_us() {
  std::map<std::string, double> all;
  const auto document = json::parse(lab::read_whole(RESULTS "/h200.json"));
  for (const auto& r : document.at("results"))
    if (r.at("verdict") == "pass")
      all[r.at("lab").get<std::string>() + " " + r.at("variant").get<std::string>() + " " +
          r.at("launcher").get<std::string>() + " " + r.at("size").get<std::string>()] =
          1e3 * r.at("kernel_ms").at("median").get<double>();
  return all;
}

// Encores have paths of their own for a GPU, so only the solutions count here.
std::vector<row> solutions() {
  std::vector<row> rows;
  const auto recorded = recorded_us();
  std::ifstream lines{DEMANDS};
  for (std::string line; std::getline(lines, line);) {
    const auto j = json::parse(line);
    const std::string variant = j.at("variant"),
                      task = j.at("launcher").get<std::string>() + " " + j.at("size").get<std::string>();
    const auto known = recorded.find(j.at("lab").get<std::string>() + " " + variant + " " + task);
    if (variant != "solution" || known == recorded.end()) continue;
    std::vector<launch_demand> demands;
    for (const auto& launched : j.at("launches")) demands.push_back(demand_of(launched));
    rows.push_back({task, predict(demands, find_gpu("h200")).us, known->second});
  }
  return rows;
}

}  // namespace

TEST_CASE("the solutions' recorded times are within the model's error") {
  auto rows = solutions();
  REQUIRE(rows.size() >= 30);
  std::ranges::sort(rows, {}, &row::error);
  const double median = rows[rows.size() / 2].error(), p90 = rows[rows.size() * 9 / 10].error();
  WARN(rows.size() << " recorded times of solutions: median error " << 100 * median << "%, p90 " << 100 * p90 << "%");
  CHECK(median < 0.15);
  CHECK(p90 < 0.35);
}

TEST_CASE("kernels of one task and size are ranked rightly") {
  const auto rows = solutions();
  int pairs = 0, right = 0;
  for (const auto& a : rows)
    for (const auto& b : rows)
      if (a.task == b.task && a.recorded > 1.25 * b.recorded) ++pairs, right += a.modelled > b.modelled;
  WARN(right << " of " << pairs << " pairs ranked rightly");
  REQUIRE(pairs >= 6);
  CHECK(right >= 0.9 * pairs);
}
