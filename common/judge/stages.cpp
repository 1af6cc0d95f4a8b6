#include <algorithm>

#include "judge/check.hpp"

namespace lab::judge {

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void join(check_result& all, const check_result& one) {
  append(all.cases, one.cases);
  append(all.hazards, one.hazards);
  append(all.gates, one.gates);
  append(all.coverage.traced, one.coverage.traced);
  append(all.coverage.missing, one.coverage.missing);
  all.coverage.places += one.coverage.places;
  all.source_checked = one.source_checked;
  all.seconds += one.seconds;
  all.build_seconds += one.build_seconds;
  all.trace_seconds += one.trace_seconds;
  all.variant = one.variant;
  all.verdict = one.verdict;
}

// Cases of the build belong to every stage.
verdict_kind verdict_on(const stage& part, const std::vector<case_result>& cases) {
  for (const auto& one : cases) {
    const bool counts = one.launcher.empty() || std::ranges::count(part.launchers, one.launcher) > 0;
    if (counts && one.verdict != verdict_kind::pass) return one.verdict;
  }
  return verdict_kind::pass;
}

}  // namespace

std::vector<stage_result> stage_results(const entry& lab, const std::vector<case_result>& cases) {
  std::vector<stage_result> results;
  if (lab.stage > 0) return results;
  for (const auto& part : lab.definition.stages)
    results.push_back({static_cast<int>(results.size()) + 1, part.title, verdict_on(part, cases)});
  return results;
}

check_result check_by_stages(const entry& lab, const std::function<check_result(const entry& stage)>& next) {
  check_result all;
  all.lab = lab.name;
  for (const auto& stage : lab.definition.stages) {
    const int number = static_cast<int>(all.stages.size()) + 1;
    all.stages.push_back({number, stage.title, verdict_kind::skipped});
    if (all.verdict != verdict_kind::pass) continue;
    join(all, next(stage_of(lab, number)));
    all.stages.back().verdict = all.verdict;
  }
  return all;
}

}  // namespace lab::judge
