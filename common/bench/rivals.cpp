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

// A stage holds its own launchers only, so the earlier one is looked for in the whole lab as well.
const launcher_spec* launcher_before(const entry& lab, const launcher_spec& wanted) {
  const auto named = [&](const entry& one) -> const launcher_spec* {
    const auto& all = one.definition.launchers;
    const auto at = std::ranges::find(all, wanted.improves_on, &launcher_spec::name);
    return at == all.end() ? nullptr : &*at;
  };
  if (wanted.improves_on.empty()) return nullptr;
  if (const auto* const before = named(lab)) return before;
  const auto whole = std::ranges::find(labs(), lab.name, &entry::name);
  return whole == labs().end() ? nullptr : named(*whole);
}

}  // namespace

std::optional<step_before> find_step_before(const entry& lab, const launcher_spec& wanted, const problem_size& size) {
  auto one = lab;
  if (const auto* const before = launcher_before(lab, wanted); before && !refused(*before, size)) {
    one.definition.launchers = {*before};
    return step_before{one, solution_of(lab), before->name, true};
  }
  one.definition.launchers = {wanted};
  const auto naive = solution_of(lab).source.parent_path() / "peers" / "naive.cu";
  if (exists(naive)) return step_before{one, {"naive", naive}, "naive"};
  std::optional<step_before> found;
  for (const auto& earlier : labs()) {
    if (earlier.name >= lab.name) continue;
    for (const auto& launcher : earlier.definition.launchers) {
      if (launcher.symbol != wanted.symbol || refused(launcher, size)) continue;
      found = step_before{earlier, solution_of(earlier), earlier.name};
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
    all.push_back({baseline.name, solution_of(baseline).source, true, &baseline});
  }
  if (options.backend == backend_kind::sim)
    for (const auto& launcher : lab.definition.launchers)
      for (const auto& size : sizes_for(launcher, options.sizes, {size_to_count(launcher)}))
        if (const auto before = find_step_before(lab, launcher, size); before && !before->in_same_file)
          add_new(all, {before->name, before->kernel.source, true, &find(before->lab.name)});
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
