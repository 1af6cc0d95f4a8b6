#include "judge/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "judge/session.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

// The words that follow a mark such as "// link:" among the comments that begin a file.
std::vector<std::string> words_after(std::string_view mark, const fs::path& source) {
  std::ifstream file{source};
  for (std::string line; std::getline(file >> std::ws, line) && line.starts_with("//");) {
    if (!line.starts_with(mark)) continue;
    std::istringstream words{line.substr(mark.size())};
    return {std::istream_iterator<std::string>{words}, {}};
  }
  return {};
}

// What is linked, and for which GPU, a stranger's file does not choose: the lab's own solution says it.
build_request request_for(const entry& lab, const fs::path& source, const options& o) {
  const auto trusted = o.confine ? solution_of(lab).source : source;
  const auto architecture = words_after("// arch:", trusted);
  return {.backend = o.backend,
          .source = source,
          .include = {here().root / "labs" / lab.name},
          .link = words_after("// link:", trusted),
          .architecture = architecture.empty() ? "" : architecture.front(),
          .or_any = architecture.size() > 1,
          .timeout_s = o.build_timeout_s,
          .confine = o.confine};
}

}  // namespace

std::vector<rival> rivals_of(const entry& lab, const bench_options& o) {
  std::vector<rival> all;
  if (!lab.card.baseline.empty()) {
    const auto& baseline = find(lab.card.baseline);
    all.push_back({baseline.name, solution_of(baseline).source});
  }
  std::error_code none;
  std::vector<fs::path> peers;
  if (o.peers)
    for (const auto& file : fs::directory_iterator(here().root / "solutions" / lab.name / "peers", none))
      if (file.path().extension() == ".cu") peers.push_back(file.path());
  std::ranges::sort(peers);
  for (const auto& p : peers) all.push_back({p.stem().string(), p, words_after("// unjudged:", p).empty()});
  return all;
}

std::string why_not_here(const entry& lab, const options& o) {
  if (std::ranges::find(lab.card.backends, word(o.backend)) == lab.card.backends.end())
    return fmt::format("this lab does not run on {}", word(o.backend));
  const int least = lab.card.least_capability;
  if (least == 0 || o.backend == backend::sim) return {};
  const auto d = session{o, {}}.runner().device();
  if (static_cast<int>(d.major * 10 + d.minor) >= least) return {};
  return fmt::format("this lab needs a GPU of compute capability {}.{}, and this one, {}, has {}.{}", least / 10,
                     least % 10, d.name, d.major, d.minor);
}

build_result build_for(const entry& lab, const fs::path& source, const options& o) {
  if (o.progress) o.progress("building " + source.filename().string());
  return build(request_for(lab, source, o));
}

build_result build_device_code(const entry& lab, const fs::path& source, const options& o) {
  auto r = request_for(lab, source, o);
  r.device_only = true;
  return build(r);
}

build_result build_traced(const entry& lab, const fs::path& source, const options& o) {
  auto r = request_for(lab, source, o);
  r.backend = backend::sim;
  r.traced = true;
  return build(r);
}

}  // namespace lab::judge
