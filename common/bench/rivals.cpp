#include "bench/rivals.hpp"

#include <algorithm>

#include "build/kernel_variant.hpp"
#include "build/lab_builds.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/installation.hpp"
#include "trace/trace_plan.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

void add_new(std::vector<rival>& all, rival one) {
  if (std::ranges::find(all, one.name, &rival::name) == all.end()) all.push_back(std::move(one));
}

}  // namespace

std::optional<step_before> find_step_before(const entry& lab, const launcher_spec& wanted, const problem_size& size) {
  auto one = lab;
  one.definition.launchers = {wanted};
  const auto naive = solution_of(lab).source.parent_path() / "peers" / "naive.cu";
  if (exists(naive)) return step_before{one, {"naive", naive}};
  std::optional<step_before> found;
  for (const auto& earlier : labs()) {
    if (earlier.name >= lab.name) continue;
    for (const auto& launcher : earlier.definition.launchers) {
      if (launcher.symbol != wanted.symbol || refused(launcher, size)) continue;
      found = step_before{earlier, solution_of(earlier)};
      found->lab.definition.launchers = {launcher};
    }
  }
  return found;
}

std::vector<rival> rivals_of(const entry& lab, const bench_options& options) {
  std::vector<rival> all;
  if (options.alone) return all;
  if (!lab.definition.baseline.empty()) {
    const auto& baseline = find(lab.definition.baseline);
    all.push_back({baseline.name, solution_of(baseline).source});
  }
  if (options.backend == backend_kind::sim)
    for (const auto& launcher : lab.definition.launchers)
      for (const auto& size : sizes_for(launcher, options.sizes, {size_to_count(launcher)}))
        if (const auto before = find_step_before(lab, launcher, size))
          add_new(all, {before->name(), before->kernel.source});
  std::error_code ignored;
  std::vector<fs::path> peers;
  if (options.peers)
    for (const auto& file : fs::directory_iterator(solution_of(lab).source.parent_path() / "peers", ignored))
      if (file.path().extension() == ".cu") peers.push_back(file.path());
  std::ranges::sort(peers);
  for (const auto& peer : peers) add_new(all, {peer.stem().string(), peer, words_after("// unjudged:", peer).empty()});
  return all;
}

}  // namespace lab::judge
