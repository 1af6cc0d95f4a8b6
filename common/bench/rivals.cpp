#include "bench/rivals.hpp"

#include <algorithm>

#include "build/kernel_build.hpp"
#include "build/kernel_variant.hpp"
#include "support/installation.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

std::vector<rival> rivals_of(const entry& lab, const bench_options& options) {
  std::vector<rival> all;
  if (!lab.definition.baseline.empty()) {
    const auto& baseline = find(lab.definition.baseline);
    all.push_back({baseline.name, solution_of(baseline).source});
  }
  std::error_code none;
  std::vector<fs::path> peers;
  if (options.peers)
    for (const auto& file : fs::directory_iterator(here().root / "solutions" / lab.name / "peers", none))
      if (file.path().extension() == ".cu") peers.push_back(file.path());
  std::ranges::sort(peers);
  for (const auto& p : peers) all.push_back({p.stem().string(), p, words_after("// unjudged:", p).empty()});
  return all;
}

}  // namespace lab::judge
