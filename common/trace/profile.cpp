#include "trace/profile.hpp"

#include <fmt/format.h>

#include "build/kernel_build.hpp"
#include "lab/fitting_sizes.hpp"
#include "protocol/runner_process.hpp"
#include "support/random_seed.hpp"
#include "trace/hazard_message.hpp"
#include "trace/ncu.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double slower = 10;  // sizes that were asked for may be large

std::vector<problem_size> sizes_of(const launcher_spec& c, const profile_options& o) {
  return sizes_for(c, o.sizes, {c.gates.empty() ? traced_size(c, {}) : c.gates.front().at});
}

profile traced_profile(const launcher_spec& c, const problem_size& s, const profile_options& o,
                       const build_result& built) {
  auto t = trace(c, s, o.seed ? *o.seed : fresh_seed(), built.library, slower * o.timeout_s);
  profile p{c.name, s.name(), verdict_kind::pass, {}, std::move(t.report)};
  if (t.reported) return p;
  p.verdict = t.verdict == verdict_kind::pass ? verdict_kind::protocol_violation : t.verdict;
  p.message = fmt::format("{} at {} left no report: {}\n", c.name, p.size, t.detail);
  return p;
}

}  // namespace

profile_result profile_kernel(const entry& lab, const kernel_variant& which, const profile_options& o) {
  require_fitting(lab, o.sizes);
  profile_result r{lab.name, which.word, o.backend, {}};
  const bool gpu = o.backend == backend_kind::cuda;
  if (gpu && ncu().empty())
    throw runner_failure(
        "Nsight Compute (ncu) is not found on PATH, in /usr/local/cuda/bin or in /opt/nvidia; install it, name it in "
        "LAB_NCU, or profile with --backend sim");
  if (o.progress) o.progress("building " + which.source.filename().string());
  const auto built = gpu ? build_for(lab, which.source, o) : build_traced(lab, which.source, o);
  if (built.verdict != verdict_kind::pass) {
    r.profiles.push_back({.verdict = built.verdict, .message = built.log});
    return r;
  }
  for (const auto& c : lab.definition.launchers)
    for (const auto& s : sizes_of(c, o)) {
      if (o.progress) o.progress(fmt::format("{} {}", c.name, s.name()));
      r.profiles.push_back(gpu ? ncu_profile(c, s, o, built.library) : traced_profile(c, s, o, built));
    }
  return r;
}

nlohmann::json to_json(const profile_result& r) {
  nlohmann::json launches = nlohmann::json::array(), hazards = nlohmann::json::array();
  for (const auto& p : r.profiles) {
    for (const auto& l : p.report.launches) {
      auto& one = launches.emplace_back(to_json(l));
      one.update({{"launcher", p.launcher}, {"size", p.size}});
    }
    for (const auto& h : p.report.hazards) {
      auto& one = hazards.emplace_back(to_json(h));
      one.update({{"launcher", p.launcher}, {"size", p.size}, {"advice", advice_for(h)}});
    }
  }
  return {{"schema", 1},          {"lab", r.lab},      {"variant", r.variant}, {"backend", word(r.backend)},
          {"launches", launches}, {"hazards", hazards}};
}

}  // namespace lab::judge
