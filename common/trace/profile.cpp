#include "trace/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "build/availability.hpp"
#include "build/lab_builds.hpp"
#include "lab/fitting_sizes.hpp"
#include "protocol/runner_process.hpp"
#include "support/installation.hpp"
#include "support/parallel.hpp"
#include "support/random_seed.hpp"
#include "trace/hazard_message.hpp"
#include "trace/ncu.hpp"
#include "trace/trace_plan.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double slower = 10;  // sizes that were asked for may be large

trace_options tracing(const profile_options& options, const std::filesystem::path& library) {
  return {
      .seed = options.seed ? *options.seed : fresh_seed(), .library = library, .timeout_s = slower * options.timeout_s};
}

// The sizes of a launcher that can be profiled without being asked for, the most telling first.
std::vector<problem_size> candidates(const launcher_spec& launcher) {
  auto sizes = launcher.check_sizes;
  std::erase_if(sizes, [&](const auto& size) { return refused(launcher, size) || !affordable({&launcher, size}); });
  std::ranges::stable_sort(sizes, std::greater{}, [&](const auto& size) { return estimated_accesses(launcher, size); });
  sizes.insert(sizes.begin(), size_to_count(launcher));
  return sizes;
}

// The first candidate, and others only as far as they launch other kernels.
std::vector<problem_size> sizes_showing_all_kernels(const launcher_spec& launcher, trace_options options) {
  const auto sizes = candidates(launcher);
  std::vector<std::set<std::string>> kernels(sizes.size());
  options.only_coverage = true;
  parallel_for(static_cast<std::int64_t>(sizes.size()), [&](std::int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    for (const auto& one : trace(launcher, sizes[i], options).report.launches) kernels[i].insert(one.kernel);
  });
  std::vector<problem_size> chosen;
  std::set<std::string> shown;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto before = shown.size();
    shown.merge(kernels[i]);
    if (i == 0 || shown.size() > before) chosen.push_back(sizes[i]);
  }
  return chosen;
}

std::vector<problem_size> sizes_of(const entry& lab, const kernel_variant& which, const launcher_spec& launcher,
                                   const profile_options& options) {
  if (!options.sizes.empty()) return sizes_for(launcher, options.sizes, {});
  if (!runs_on(lab, backend_kind::sim) || !probe(backend_kind::sim).usable) return {candidates(launcher).front()};
  const auto built = build_traced(lab, which.source, options);
  if (built.verdict != verdict_kind::pass) return {candidates(launcher).front()};
  return sizes_showing_all_kernels(launcher, tracing(options, built.library));
}

profile traced_profile(const launcher_spec& launcher, const problem_size& size, const profile_options& options,
                       const build_result& built) {
  auto t = trace(launcher, size, tracing(options, built.library));
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
    for (const auto& s : sizes_of(lab, which, c, options)) {
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
  return {{"schema", 1},
          {"version", lab::version()},
          {"lab", result.lab},
          {"variant", result.variant},
          {"backend", word(result.backend)},
          {"launches", launches},
          {"hazards", hazards}};
}

}  // namespace lab::judge
