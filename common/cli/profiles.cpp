#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cli/store.hpp"
#include "cli/work.hpp"
#include "judge/profile.hpp"
#include "judge/text_file.hpp"

// What the report shows of memory accesses: for each kernel that was checked, its profile on the simulator, its source,
// and the profile of the kernel that it improves on, at the same size.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;
using judge::verdict;
using nlohmann::json;

fs::path results() { return judge::here().root / "report" / "out" / "results"; }

bool was_checked(const job& j) {
  return std::ranges::any_of(std::array{"sim", "cuda"}, [&](const char* backend) {
    return exists(results() / fmt::format("check-{}-{}-{}.json", j.lab->name, j.variant.word, backend));
  });
}

bool untouched(const job& j) {
  const auto pristine = judge::here().root / "solutions" / j.lab->name / "starter.cu";
  return j.variant.word == "starter" && exists(pristine) &&
         judge::read_whole(pristine) == judge::read_whole(j.variant.source);
}

bool known(const job& j) {
  const auto kept = results() / fmt::format("profile-{}-{}-sim.json", j.lab->name, j.variant.word);
  if (!exists(kept)) return false;
  const auto document = json::parse(judge::read_whole(kept), nullptr, false);
  return document.is_object() && document.value("source", "") == judge::read_whole(j.variant.source);
}

std::vector<job> to_profile() {
  std::vector<job> all;
  for (const auto& lab : labs()) {
    if (std::ranges::find(lab.card.backends, "sim") == lab.card.backends.end()) continue;
    for (const auto& v : {judge::starter_of(lab), judge::solution_of(lab)})
      if (const job j{&lab, v}; exists(v.source) && was_checked(j) && !untouched(j) && !known(j)) all.push_back(j);
  }
  return all;
}

json document_of(const entry& lab, const judge::variant& which, const judge::options& o) {
  const auto r = judge::profile_kernel(lab, which, o);
  auto document = to_json(r);
  document.update(
      {{"date", now()}, {"file", which.source.filename().string()}, {"source", judge::read_whole(which.source)}});
  for (const auto& p : r.profiles)
    if (p.verdict != verdict::pass) document["message"] = fmt::format("{}: {}", judge::word(p.verdict), p.message);
  return document;
}

// The kernel before: the solution of the nearest earlier lab with this launcher that takes this size, or the lab's own
// naive rival. The entry has that one launcher.
std::optional<std::pair<entry, judge::variant>> predecessor(const entry& lab, const size& s) {
  const auto& wanted = lab.card.contracts.front();
  auto one = lab;
  one.card.contracts = {wanted};
  const auto naive = judge::here().root / "solutions" / lab.name / "peers" / "naive.cu";
  if (exists(naive)) return std::pair{one, judge::variant{"naive", naive}};
  std::optional<std::pair<entry, judge::variant>> found;
  for (const auto& earlier : labs()) {
    if (earlier.name >= lab.name) continue;
    for (const auto& c : earlier.card.contracts) {
      if (c.symbol != wanted.symbol || (c.refuses && !c.refuses(s).empty())) continue;
      found.emplace(earlier, judge::solution_of(earlier));
      found->first.card.contracts = {c};
    }
  }
  return found;
}

json with_predecessor(const job& j, judge::options o) {
  auto document = document_of(*j.lab, j.variant, o);
  if (document["launches"].empty()) return document;
  const auto s = *size::parse(document["launches"][0]["size"].get<std::string>());
  if (const auto before = predecessor(*j.lab, s)) {
    o.sizes = {s};
    document["before"] = document_of(before->first, before->second, o);
  }
  return document;
}

}  // namespace

void keep_profiles(const terminal& t) {
  const auto jobs = to_profile();
  if (jobs.empty()) return;
  if (const auto can = judge::probe(judge::backend::sim); !can.usable)
    return t.print(fmt::format("Without memory accesses, which the simulator would count: {}", can.reason));
  t.print(fmt::format("Counting the memory accesses of {} kernels on the simulator", jobs.size()));
  for (const auto& j : jobs) {
    t.progress(fmt::format("{}: counting its memory accesses", j.lab->name));
    judge::options o;
    o.seed = 1;
    keep_result("profile", j.lab->name, j.variant.word, "sim", with_predecessor(j, o));
  }
  t.clear_progress();
}

}  // namespace lab::cli
