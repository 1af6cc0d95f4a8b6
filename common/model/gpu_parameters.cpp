#include "model/gpu_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "lab/lab_definition.hpp"
#include "model/calibration.hpp"

namespace lab::judge {

extern const std::string_view gpus_markdown;  // gpus.md

namespace {

using field = double gpu_parameters::*;

const std::map<std::string, field>& fields() {
#define LAB_FIELD(name) \
  { #name, &gpu_parameters::name }
  static const std::map<std::string, field> all{LAB_FIELD(multiprocessors),
                                                LAB_FIELD(clock_mhz),
                                                LAB_FIELD(warps),
                                                LAB_FIELD(blocks),
                                                LAB_FIELD(shared_kbytes),
                                                LAB_FIELD(registers),
                                                LAB_FIELD(schedulers),
                                                LAB_FIELD(fma_warps_per_cycle),
                                                LAB_FIELD(l2_mbytes),
                                                LAB_FIELD(dram_gbytes_per_s),
                                                LAB_FIELD(dram_read_gbytes_per_s),
                                                LAB_FIELD(l2_gbytes_per_s),
                                                LAB_FIELD(scattered_sectors_g_per_s),
                                                LAB_FIELD(same_address_atomics_g_per_s),
                                                LAB_FIELD(l1_latency_cycles),
                                                LAB_FIELD(l2_latency_cycles),
                                                LAB_FIELD(dram_latency_cycles),
                                                LAB_FIELD(shared_latency_cycles),
                                                LAB_FIELD(fma_latency_cycles),
                                                LAB_FIELD(barrier_cycles),
                                                LAB_FIELD(warp_launch_cycles),
                                                LAB_FIELD(dram_ramp_us),
                                                LAB_FIELD(l1_request_cycles),
                                                LAB_FIELD(barrier_warp_cycles),
                                                LAB_FIELD(block_launch_cycles),
                                                LAB_FIELD(first_launch_us),
                                                LAB_FIELD(further_launch_us)};
#undef LAB_FIELD
  return all;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream parts{line.substr(1)};
  for (std::string cell; std::getline(parts, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == cell.npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

double number(const std::string& cell, const std::string& where) {
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(cell, &end);
  } catch (const std::exception&) {
    end = cell.size() + 1;
  }
  if (end != cell.size() || value <= 0) throw std::runtime_error(fmt::format("gpus.md: {} is \"{}\"", where, cell));
  return value;
}

}  // namespace

std::vector<gpu_parameters> read_gpus(std::string_view markdown) {
  std::vector<gpu_parameters> gpus;
  std::istringstream lines{std::string{markdown}};
  std::size_t given = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('|') || line.starts_with("|-")) continue;
    const auto cells = cells_of(line);
    if (cells.front() == "parameter") {
      for (std::size_t i = 1; i < cells.size(); ++i) gpus.push_back({.name = cells[i]});
      continue;
    }
    if (cells.size() != gpus.size() + 1) throw std::runtime_error("gpus.md: a row has too few cells: " + line);
    const auto known = fields().find(cells.front());
    if (known == fields().end() && cells.front() != "status")
      throw std::runtime_error("gpus.md: unknown parameter " + cells.front());
    given += known != fields().end();
    for (std::size_t i = 0; i < gpus.size(); ++i)
      if (known == fields().end())
        gpus[i].validated = cells[i + 1] == "measured";
      else
        gpus[i].*known->second = number(cells[i + 1], cells.front() + " of " + gpus[i].name);
  }
  if (given != fields().size()) throw std::runtime_error("gpus.md: a parameter is missing");
  return gpus;
}

std::string table_of(const gpu_parameters& gpu) {
  std::string text = fmt::format("| parameter | {} |\n|---|---|\n| status | {} |\n", gpu.name,
                                 gpu.validated ? "measured" : "not validated here");
  for (const auto& [name, member] : fields()) text += fmt::format("| {} | {:.4g} |\n", name, gpu.*member);
  return text;
}

const std::vector<gpu_parameters>& known_gpus() {
  static const auto all = read_gpus(gpus_markdown);
  return all;
}

const gpu_parameters& find_gpu(std::string_view name) {
  const auto at = std::ranges::find(known_gpus(), name, &gpu_parameters::name);
  if (at != known_gpus().end()) return *at;
  std::string names;
  for (const auto& gpu : known_gpus()) names += (names.empty() ? "" : ", ") + gpu.name;
  throw usage_error(fmt::format(
      "\"{}\" is no GPU of the time model; there are {}. `lab calibrate` prints a column for another", name, names));
}

}  // namespace lab::judge
