#include "judge/telling_failures.hpp"

#include <algorithm>

namespace lab::judge {

namespace {

// Where an access went astray or the kernel hung in some cases, the largest of those. A size that the launcher should
// have refused explains no other.
trace_target telling_failure(const lab_definition& definition, const check_result& result) {
  for (const auto& launcher : definition.launchers) {
    std::vector<problem_size> failed, astray, not_refused;
    for (const auto& one : result.cases) {
      if (one.launcher != launcher.name || !traceable(one.verdict)) continue;
      if (refused(launcher, one.size))
        not_refused.push_back(one.size);
      else
        (one.verdict == verdict_kind::wrong_answer ? failed : astray).push_back(one.size);
    }
    for (const auto* sizes : {&astray, &failed, &not_refused})
      if (!sizes->empty()) return {&launcher, telling_size(launcher, *sizes)};
  }
  return {};
}

}  // namespace

bool traceable(verdict_kind verdict) {
  switch (verdict) {
    case verdict_kind::pass:
    case verdict_kind::skipped:
    case verdict_kind::memory_limit:
    case verdict_kind::output_limit:
    case verdict_kind::exited_early:
    case verdict_kind::compile_error:
    case verdict_kind::compile_limit:
    case verdict_kind::protocol_violation:
    case verdict_kind::infra_error:
      return false;
    default:
      return true;
  }
}

std::vector<trace_target> telling_failures(const lab_definition& definition, const check_result& result) {
  std::vector<trace_target> all{telling_failure(definition, result)};
  if (!all[0].launcher) return {};
  for (const auto& one : result.cases)
    if (all.size() == 1 && one.launcher == all[0].launcher->name && one.size != all[0].size &&
        one.diagnosis == diagnosis_kind::nondeterministic && !one.seen_elsewhere)
      all.push_back({all[0].launcher, one.size});
  return all;
}

}  // namespace lab::judge
