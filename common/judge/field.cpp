#include "judge/field.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> libraries_named_in(const fs::path& source) {
  std::string line;
  std::getline(std::ifstream{source} >> std::ws, line);
  constexpr std::string_view mark = "// link:";
  if (!line.starts_with(mark)) return {};
  std::istringstream words{line.substr(mark.size())};
  return {std::istream_iterator<std::string>{words}, {}};
}

// A line of a stranger's must not choose what is linked.
build_request request_for(const entry& lab, const fs::path& source, const options& o) {
  return {.backend = o.backend,
          .source = source,
          .include = {here().root / "labs" / lab.name},
          .link = o.confine ? std::vector<std::string>{} : libraries_named_in(source),
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
  for (const auto& p : peers) all.push_back({p.stem().string(), p});
  return all;
}

build_result build_for(const entry& lab, const fs::path& source, const options& o) {
  if (o.progress) o.progress("building " + source.filename().string());
  return build(request_for(lab, source, o));
}

build_result build_traced(const entry& lab, const fs::path& source, const options& o) {
  auto r = request_for(lab, source, o);
  r.backend = backend::sim;
  r.traced = true;
  return build(r);
}

}  // namespace lab::judge
