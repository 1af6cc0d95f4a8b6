#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sim/runtime/traffic/access_cost.hpp"

// What an H200 (compute capability 9.0) counted for 456 access patterns of one warp.

using namespace lab::sim;

namespace {

struct pattern {
  std::map<std::string, std::string> field;
  std::uint64_t address[32];

  unsigned number(const std::string& name) const { return static_cast<unsigned>(std::stoul(field.at(name))); }
  warp_access access() const { return {number("active_mask"), number("bytes"), address}; }
  bool load() const { return field.at("instruction").find("ld") != std::string::npos; }
  bool shared() const { return number("shared") == 1; }
};

std::vector<pattern> table() {
  std::ifstream in{CALIBRATION};
  std::vector<pattern> all;
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream cells{line};
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (names.empty()) {
      names = row;
      continue;
    }
    auto& p = all.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) p.field[names[i]] = row.at(i);
    for (unsigned lane = 0; lane < 32; ++lane) p.address[lane] = p.number("offset" + std::to_string(lane));
  }
  return all;
}

std::string name(const pattern& p) { return p.field.at("instruction") + " " + p.field.at("pattern"); }

}  // namespace

TEST_CASE("sectors of every global access are what the hardware counted") {
  unsigned seen = 0;
  for (const auto& p : table()) {
    if (p.shared()) continue;
    ++seen;
    INFO(name(p));
    const auto cost = global_cost(p.access());
    CHECK(cost.sectors == p.number("memory_l2_theoretical_sectors_global"));
    CHECK(cost.ideal == p.number("memory_l2_theoretical_sectors_global_ideal"));
  }
  CHECK(seen == 240);
}

TEST_CASE("wavefronts of every shared access are what the hardware counted") {
  unsigned seen = 0;
  for (const auto& p : table()) {
    if (!p.shared()) continue;
    ++seen;
    INFO(name(p));
    const auto cost = shared_cost(p.access(), p.load());
    CHECK(cost.wavefronts == p.number("memory_l1_wavefronts_shared"));
    CHECK(cost.ideal == p.number("memory_l1_wavefronts_shared_ideal"));
  }
  CHECK(seen == 216);
}

// Loads by every fourth lane are counted with one or two conflicts though none is needed: the two exceptions.
TEST_CASE("bank conflicts of shared loads and stores are what the hardware counted, but for two patterns") {
  unsigned seen = 0, different = 0;
  for (const auto& p : table()) {
    const bool atomic = p.field.at("instruction").find("atom") != std::string::npos ||
                        p.field.at("instruction").find("red") != std::string::npos;
    if (!p.shared() || atomic) continue;
    ++seen;
    const std::string kind = p.load() ? "ld" : "st";
    const auto counted = p.number("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + kind + ".sum");
    const auto cost = shared_cost(p.access(), p.load());
    if (cost.conflicts == counted) continue;
    ++different;
    INFO(name(p) << " computed " << cost.conflicts << " counted " << counted);
    CHECK(p.load());
    CHECK(p.field.at("pattern").find("fourth") + p.field.at("pattern").find("4") != 2 * std::string::npos);
  }
  CHECK(seen == 192);
  CHECK(different == 2);
}
