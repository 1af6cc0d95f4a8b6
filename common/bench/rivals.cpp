#include "bench/rivals.hpp"

#include <algorithm>

#include "build/kernel_variant.hpp"
#include "build/lab_builds.hpp"
#include "support/installation.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

std::vector<rival> rivals_of(const entry& lab, const bench_options& options) {
  std::vector<rival> all;
  if (!lab.definition.baseline.empty()) {
    const auto& baseline = find(lab.definition.baseline);
    all.push_back({baseline.name, solution_of(baseline).source});
  }
  std::error_code ignored;
  std::vector<fs::path> peers;
  if (options.peers)
    for (const auto& file : fs::directory_iterator(here().root / "solutions" / lab.name / "peers", ignored))
      if (file.path().extension() == ".cu") peers.push_back(file.path());
  std::ranges::sort(peers);
  for (const auto& peer : peers) all.push_back({peer.stem().string(), peer, words_after("// unjudged:", peer).empty()});
  return all;
}

}  // namespace lab::judge
