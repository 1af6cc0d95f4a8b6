#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "build/availability.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"
#include "trace/profile.hpp"

// What the report shows of memory accesses: for each kernel that was checked, its profile on the simulator, its source,
// and the profile of the kernel that it improves on, at the same size.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path results() { return lab::here().root / "report" / "out" / "results"; }

bool was_checked(const job& j) {
  return std::ranges::any_of(std::array{"sim", "cuda"}, [&](const char* backend) {
    return exists(results() / fmt::format("check-{}-{}-{}.json", j.lab->name, j.variant.word, backend));
  });
}

bool untouched(const job& j) {
  const auto pristine = lab::here().root / "solutions" / j.lab->name / "starter.cu";
  return j.variant.word == "starter" && exists(pristine) &&
         lab::read_whole(pristine) == lab::read_whole(j.variant.source);
}

bool known(const job& j) {
  const auto kept = results() / fmt::format("profile-{}-{}-sim.json", j.lab->name, j.variant.word);
  if (!exists(kept)) return false;
  const auto document = json::parse(lab::read_whole(kept), nullptr, false);
  return document.is_object() && document.value("source", "") == lab::read_whole(j.variant.source);
}

std::vector<job> to_profile() {
  std::vector<job> all;
  for (const auto& lab : labs()) {
    if (std::ranges::find(lab.definition.backends, "sim") == lab.definition.backends.end()) continue;
    for (const auto& v : {judge::starter_of(lab), judge::solution_of(lab)})
      if (const job j{&lab, v}; exists(v.source) && was_checked(j) && !untouched(j) && !known(j)) all.push_back(j);
  }
  return all;
}

json document_of(const entry& lab, const judge::kernel_variant& which, const judge::profile_options& o) {
  const auto r = judge::profile_kernel(lab, which, o);
  auto document = to_json(r);
  document.update(
      {{"date", now()}, {"file", which.source.filename().string()}, {"source", lab::read_whole(which.source)}});
  for (const auto& p : r.profiles)
    if (p.verdict != verdict_kind::pass) document["message"] = fmt::format("{}: {}", word(p.verdict), p.message);
  return document;
}

// The kernel before: the solution of the nearest earlier lab with this launcher that takes this size, or the lab's own
// naive rival. The entry has that one launcher.
std::optional<std::pair<entry, judge::kernel_variant>> predecessor(const entry& lab, const problem_size& s) {
  const auto& wanted = lab.definition.launchers.front();
  auto one = lab;
  one.definition.launchers = {wanted};
  const auto naive = lab::here().root / "solutions" / lab.name / "peers" / "naive.cu";
  if (exists(naive)) return std::pair{one, judge::kernel_variant{"naive", naive}};
  std::optional<std::pair<entry, judge::kernel_variant>> found;
  for (const auto& earlier : labs()) {
    if (earlier.name >= lab.name) continue;
    for (const auto& c : earlier.definition.launchers) {
      if (c.symbol != wanted.symbol || (c.refuses && !c.refuses(s).empty())) continue;
      found.emplace(earlier, judge::solution_of(earlier));
      found->first.definition.launchers = {c};
    }
  }
  return found;
}

json with_predecessor(const job& j, judge::profile_options o) {
  auto document = document_of(*j.lab, j.variant, o);
  if (document["launches"].empty()) return document;
  const auto s = *problem_size::parse(document["launches"][0]["size"].get<std::string>());
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
  if (const auto can = judge::probe(backend_kind::sim); !can.usable)
    return t.print(fmt::format("Without memory accesses, which the simulator would count: {}", can.reason));
  t.print(fmt::format("Counting the memory accesses of {} kernels on the simulator", jobs.size()));
  for (const auto& j : jobs) {
    t.progress(fmt::format("{}: counting its memory accesses", j.lab->name));
    judge::profile_options o;
    o.seed = 1;
    keep_result("profile", j.lab->name, j.variant.word, "sim", with_predecessor(j, o));
  }
  t.clear_progress();
}

}  // namespace lab::cli
