#include "sim/runtime/report/schedule_comparison.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/hazard_kinds.hpp"
#include "sim/hazard_texts.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct outcome {
  int status = 0;
  std::string printed;
  json report;
};

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream{file, std::ios::binary}.rdbuf();
  return text.str();
}

// In the new process: only the seed and the destination of the results differ.
void become_schedule(unsigned long seed, const fs::path& folder, bool first) {
  const auto open_as = [](const fs::path& file, int descriptor) {
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (opened >= 0) dup2(opened, descriptor), close(opened);
  };
  open_as(folder / "out", STDOUT_FILENO);
  if (!first) open_as("/dev/null", STDERR_FILENO);
  setenv("LAB_SIM_SEED", std::to_string(seed).c_str(), 1);
  setenv("LAB_SIM_JSON", (folder / "report").c_str(), 1);
  setenv("LAB_SIM_SCHEDULES", "1", 1);
}

outcome result_of(pid_t child, const fs::path& folder) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome o{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(folder / "out"),
            json::parse(contents(folder / "report"), nullptr, false)};
  if (o.report.is_discarded()) o.report = {{"schema", 1}, {"launches", json::array()}, {"hazards", json::array()}};
  fs::remove(folder / "out");
  fs::remove(folder / "report");
  return o;
}

bool alike(const json& first, const json& second) {
  for (const char* field : {"kind", "kernel", "file", "line", "other_file", "other_line"})
    if (first[field] != second[field]) return false;
  return true;
}

json different_output(std::size_t schedule, const std::string& first, const std::string& other) {
  std::istringstream a{first}, b{other};
  std::string from_a, from_b;
  int line = 0;
  do {
    from_a.clear(), from_b.clear();
    std::getline(a, from_a), std::getline(b, from_b);
    ++line;
  } while (from_a == from_b && (a || b));
  const std::string what = "the program's output depends on the order of blocks and warps: line " +
                           std::to_string(line) + " is \"" + from_a + "\" in schedule 0 and \"" + from_b +
                           "\" in schedule " + std::to_string(schedule);
  return {{"kind", hazard_word(hazard_kind::schedule_dependent)},
          {"severity", "warning"},
          {"kernel", ""},
          {"file", ""},
          {"line", 0},
          {"other_file", ""},
          {"other_line", 0},
          {"block", {0, 0, 0}},
          {"thread", {0, 0, 0}},
          {"space", ""},
          {"message", what},
          {"count", 1},
          {"advice", hazard_text_of(hazard_word(hazard_kind::schedule_dependent), "").advice}};
}

// The profile of the first schedule, and the hazards of all schedules.
json merged(const std::vector<outcome>& all) {
  json report = all[0].report, hazards = json::array();
  std::size_t different = 0;
  for (std::size_t i = all.size(); i-- > 1;)
    if (all[i].printed != all[0].printed) different = i;
  for (const auto& o : all)
    for (const auto& h : o.report["hazards"]) {
      std::size_t known = 0;
      while (known < hazards.size() && !alike(hazards[known], h)) ++known;
      if (known == hazards.size()) hazards.push_back(h);
      json& entry = hazards[known];
      entry["schedules"] = entry.value("schedules", 0) + 1;
    }
  if (different > 0) hazards.push_back(different_output(different, all[0].printed, all[different].printed));
  report["hazards"] = hazards;
  report["schedules"] = all.size();
  return report;
}

void print_or_write(const json& report) {
  if (const char* path = std::getenv("LAB_SIM_JSON")) {
    if (!(std::ofstream{path} << report.dump() << "\n")) std::cerr << "lab-sim: cannot write " << path << "\n";
    return;
  }
  for (const auto& h : report["hazards"])
    if (h["severity"] != "info")
      std::cerr << h["file"].get<std::string>() << ":" << h["line"] << ": " << h["severity"].get<std::string>() << ": "
                << h["kind"].get<std::string>() << ": " << h["message"].get<std::string>() << " [in "
                << h.value("schedules", 1) << " of " << report["schedules"] << " schedules]\n  "
                << h["advice"].get<std::string>() << "\n";
}

unsigned long number_in(const char* name, unsigned long otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoul(text, nullptr, 10) : otherwise;
}

}  // namespace

void compare_schedules(unsigned otherwise) {
  const auto wanted = number_in("LAB_SIM_SCHEDULES", otherwise), base = number_in("LAB_SIM_SEED", 0);
  if (wanted < 2) return;
  std::string name = (fs::temp_directory_path() / "lab-sim-XXXXXX").string();
  if (!mkdtemp(name.data())) return;
  std::vector<outcome> all;
  for (unsigned long i = 0; i < wanted; ++i) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) return become_schedule(base + i, name, i == 0);
    if (child < 0) break;
    all.push_back(result_of(child, name));
  }
  fs::remove_all(name);
  if (all.empty()) return;
  print_or_write(merged(all));
  std::cout << all[0].printed << std::flush;
  const auto failed = std::ranges::find_if(all, [](const outcome& o) { return o.status != 0; });
  _exit(failed == all.end() ? 0 : failed->status);
}

}  // namespace lab::sim

namespace lab_sim {

void enable_tracing(unsigned schedules) {
  if (!lab::sim::trace::enabled()) lab::sim::compare_schedules(schedules);
  lab::sim::trace::enable();
}

}  // namespace lab_sim
