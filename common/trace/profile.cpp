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

std::vector<problem_size> sizes_of(const launcher_spec& launcher, const profile_options& options) {
  return sizes_for(launcher, options.sizes,
                   {launcher.gates.empty() ? traced_size(launcher, {}) : launcher.gates.front().at});
}

profile traced_profile(const launcher_spec& launcher, const problem_size& size, const profile_options& options,
                       const build_result& built) {
  auto t =
      trace(launcher, size, options.seed ? *options.seed : fresh_seed(), built.library, slower * options.timeout_s);
  profile p{launcher.name, size.name(), verdict_kind::pass, {}, std::move(t.report)};
  if (t.reported) return p;
  p.verdict = t.verdict == verdict_kind::pass ? verdict_kind::protocol_violation : t.verdict;
  p.message = fmt::format("{} at {} left no report: {}\n", launcher.name, p.size, t.detail);
  return p;
}

}  // namespace

profile_result profile_kernel(const entry& lab, const kernel_variant& which, const profile_options& options) {
  require_fitting(lab, options.sizes);
  profile_result r{lab.name, which.word, options.backend, {}};
  const bool gpu = options.backend == backend_kind::cuda;
  if (gpu && ncu().empty())
    throw runner_failure(
        "Nsight Compute (ncu) is not found on PATH, in /usr/local/cuda/bin or in /opt/nvidia; install it, name it in "
        "LAB_NCU, or profile with --backend sim");
  if (options.progress) options.progress("building " + which.source.filename().string());
  const auto built = gpu ? build_for(lab, which.source, options) : build_traced(lab, which.source, options);
  if (built.verdict != verdict_kind::pass) {
    r.profiles.push_back({.verdict = built.verdict, .message = built.log});
    return r;
  }
  for (const auto& c : lab.definition.launchers)
    for (const auto& s : sizes_of(c, options)) {
      if (options.progress) options.progress(fmt::format("{} {}", c.name, s.name()));
      r.profiles.push_back(gpu ? ncu_profile(c, s, options, built.library) : traced_profile(c, s, options, built));
    }
  return r;
}

nlohmann::json to_json(const profile_result& result) {
  nlohmann::json launches = nlohmann::json::array(), hazards = nlohmann::json::array();
  for (const auto& p : result.profiles) {
    for (const auto& l : p.report.launches) {
      auto& one = launches.emplace_back(to_json(l));
      one.update({{"launcher", p.launcher}, {"size", p.size}});
    }
    for (const auto& h : p.report.hazards) {
      auto& one = hazards.emplace_back(to_json(h));
      one.update({{"launcher", p.launcher}, {"size", p.size}, {"advice", advice_for(h)}});
    }
  }
  return {{"schema", 1},          {"lab", result.lab}, {"variant", result.variant}, {"backend", word(result.backend)},
          {"launches", launches}, {"hazards", hazards}};
}

}  // namespace lab::judge
