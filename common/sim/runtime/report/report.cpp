#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "lab_sim.h"
#include "sim/hazard_texts.hpp"
#include "sim/runtime/report/access_words.hpp"
#include "sim/runtime/report/executed_places.hpp"
#include "sim/runtime/report/launch_profile.hpp"
#include "sim/runtime/symbols/source_lines.hpp"
#include "sim/runtime/tracer/tracer.hpp"

namespace lab::sim::trace {

namespace {

using json = nlohmann::ordered_json;

constexpr const char* suffixes[] = {"ld", "st", "atom"};

const char* severity_word(const hazard& found) {
  return found.level == severity::error ? "error" : found.level == severity::warning ? "warning" : "info";
}

const std::string& advice_for(const hazard& found) {
  return hazard_text_of(hazard_word(found.kind), found.space).advice;
}

json triple(const dim3& size) { return {size.x, size.y, size.z}; }
json triple(const uint3& index) { return {index.x, index.y, index.z}; }

void add(site& to, const site& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.sectors_ideal += from.sectors_ideal;
  to.wavefronts += from.wavefronts;
  to.wavefronts_ideal += from.wavefronts_ideal;
  to.conflicts += from.conflicts;
  const bool merges = !from.unaligned || from.where != space::shared;
  to.merged_wavefronts += merges ? from.merged_wavefronts : from.wavefronts;
  to.merged_requests += merges ? from.merged_requests : from.requests;
  to.cache_lines += from.cache_lines;
  to.lanes += from.lanes;
  to.sample.offer(from.sample);
}

// Nsight Compute's names of the same counters.
json metrics_of(const launch_record& launch) {
  site total[3][3] = {}, all[3] = {};
  for (const auto& s : launch.sites) {
    add(total[static_cast<int>(s.where)][static_cast<int>(s.op)], s);
    add(all[static_cast<int>(s.where)], s);
  }
  json m = json::object();
  for (int op = 0; op < 3; ++op) {
    const std::string end = std::string{suffixes[op]} + ".sum";
    m["l1tex__t_requests_pipe_lsu_mem_global_op_" + end] = total[0][op].requests;
    m["l1tex__t_sectors_pipe_lsu_mem_global_op_" + end] = total[0][op].sectors;
    m["smsp__inst_executed_op_shared_" + end] = total[1][op].requests;
    m["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + end] = total[1][op].wavefronts;
    m["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + end] = total[1][op].conflicts;
  }
  m["memory_l2_theoretical_sectors_global"] = all[0].sectors;
  m["memory_l2_theoretical_sectors_global_ideal"] = all[0].sectors_ideal;
  m["memory_l1_wavefronts_shared"] = all[1].wavefronts;
  m["memory_l1_wavefronts_shared_ideal"] = all[1].wavefronts_ideal;
  return m;
}

// A full warp of 16-byte accesses needs 16 sectors and counts as four requests.
double sectors_per_request(const site& s) {
  const auto units = std::max(s.requests, (s.sectors_ideal + 3) / 4);
  return static_cast<double>(s.sectors) / static_cast<double>(units);
}

json lines_of(const launch_record& launch) {
  using line_key = std::tuple<std::string, int, operation, space>;
  std::map<line_key, site> lines;
  std::map<line_key, double> worst;  // several accesses can share a line
  for (const auto& s : launch.sites) {
    if (s.requests == 0) continue;
    const auto at = line_of(s.pc);
    const line_key key{at.file, at.line, s.op, s.where};
    add(lines[key], s);
    worst[key] = std::max(worst[key], sectors_per_request(s));
  }
  json all = json::array();
  for (const auto& [key, s] : lines) {
    const auto& [file, line, op, where] = key;
    all.push_back({{"file", file},
                   {"line", line},
                   {"op", word(op)},
                   {"space", word(where)},
                   {"requests", s.requests},
                   {"sectors", s.sectors},
                   {"sectors_ideal", s.sectors_ideal},
                   {"wavefronts", s.wavefronts},
                   {"wavefronts_ideal", s.wavefronts_ideal},
                   {"bank_conflicts", s.conflicts},
                   {"most_sectors_per_request", worst[key]},
                   {"merged_wavefronts", s.merged_wavefronts},
                   {"merged_requests", s.merged_requests},
                   {"cache_lines", s.cache_lines},
                   {"lanes", s.lanes},
                   {"sample", s.sample.json()}});
  }
  return all;
}

json to_json(const hazard& found) {
  const auto at = line_of(found.pc), other = found.other_pc ? line_of(found.other_pc) : source_line{};
  return {{"kind", hazard_word(found.kind)},
          {"severity", severity_word(found)},
          {"kernel", found.kernel},
          {"file", at.file},
          {"line", at.line},
          {"other_file", other.file},
          {"other_line", other.line},
          {"block", triple(found.block)},
          {"thread", triple(found.thread)},
          {"space", found.space},
          {"message", found.message},
          {"count", found.count},
          {"advice", advice_for(found)}};
}

void print(const hazard& found) {
  const auto at = line_of(found.pc);
  std::cerr << at.file << ":" << at.line << ": " << severity_word(found) << ": " << hazard_word(found.kind) << " in "
            << found.kernel << ": " << found.message;
  if (found.other_pc) {
    const auto other = line_of(found.other_pc);
    std::cerr << " (other access: " << other.file << ":" << other.line << ")";
  }
  if (found.count > 1) std::cerr << " [" << found.count << " times]";
  std::cerr << "\n  " << advice_for(found) << "\n";
}

// A program writes its report when it exits.
struct at_exit {
  ~at_exit() {
    if (enabled() && leaks_wanted()) tracer::instance().report_leaks();
    report_at_end();
  }
} const reporter;

struct sigaction before_abort;

// abort() and failed assertions of the host end the program without its destructors.
void on_abort(int) {
  report_at_end();
  sigaction(SIGABRT, &before_abort, nullptr);
  raise(SIGABRT);
}

}  // namespace

void report_at_abort() {
  struct sigaction action {};
  action.sa_handler = on_abort;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGABRT, &action, &before_abort);
}

void report_at_end() {
  static bool told = false;
  if (!enabled() || std::exchange(told, true)) return;
  if (const char* path = std::getenv("LAB_SIM_JSON")) {
    if (!(std::ofstream{path} << report_json() << "\n")) std::cerr << "lab-sim: cannot write " << path << "\n";
    return;
  }
  for (const auto& h : tracer::instance().hazards().by_line())
    if (h.level != severity::info) print(h);
}

std::string report_json() {
  json launches = json::array(), hazards = json::array();
  for (const auto& l : tracer::instance().launches()) {
    launches.push_back({{"kernel", l.kernel},
                        {"grid", triple(l.grid)},
                        {"block", triple(l.block)},
                        {"metrics", metrics_of(l)},
                        {"lines", lines_of(l)},
                        {"executed", executed_places(l)}});
    add_profile(launches.back(), l);
  }
  for (const auto& h : tracer::instance().hazards().by_line()) hazards.push_back(to_json(h));
  const auto& copied = tracer::instance().copies;
  const json copies{{"to_host", copied.to_host}, {"written", copied.written}, {"host_memory", copied.host_memory}};
  return json{{"schema", 1},
              {"launches", launches},
              {"hazards", hazards},
              {"copies", copies},
              {"kept", tracer::instance().kept()}}
      .dump();
}

}  // namespace lab::sim::trace

const char* lab_sim_report_json() {
  static std::string text;
  text = lab::sim::trace::report_json();
  return text.c_str();
}
