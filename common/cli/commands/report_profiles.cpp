#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/rivals.hpp"
#include "build/availability.hpp"
#include "build/kernel_variant.hpp"
#include "build/toolchain.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"
#include "trace/profile.hpp"
#include "trace/trace_plan.hpp"

// The report shows the memory accesses of each checked kernel. This file saves what it needs: the kernel's source, its
// profile on the simulator, and the profile of the kernel that it improves on, at the same sizes.
namespace lab::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path results() { return lab::here().root / "report" / "out" / "results"; }

bool was_checked(const kernel_job& job) {
  return std::ranges::any_of(std::array{"sim", "cuda"}, [&](const char* backend) {
    return exists(results() / fmt::format("check-{}-{}-{}.json", job.lab->name, job.variant.word, backend));
  });
}

bool untouched(const kernel_job& job) {
  const auto pristine = judge::untouched_starter_of(*job.lab).source;
  return job.variant.word == "starter" && exists(pristine) &&
         lab::read_whole(pristine) == lab::read_whole(job.variant.source);
}

bool already_profiled(const kernel_job& job) {
  const auto kept = results() / fmt::format("profile-{}-{}-sim.json", job.lab->name, job.variant.word);
  if (!exists(kept)) return false;
  const auto document = json::parse(lab::read_whole(kept), nullptr, false);
  if (!document.is_object() || document.value("source", "") != lab::read_whole(job.variant.source)) return false;
  return document.contains("counts") || document.value("launches", json::array()).empty();
}

// A kept listing that is newer than the kernel is that kernel's.
bool already_listed(const kernel_job& job) {
  const auto kept = results() / fmt::format("asm-{}-{}-cuda.json", job.lab->name, job.variant.word);
  std::error_code missing;
  const auto listed = fs::last_write_time(kept, missing);
  return !missing && listed > fs::last_write_time(job.variant.source);
}

std::vector<kernel_job> to_profile() {
  std::vector<kernel_job> all;
  for (const auto& lab : labs()) {
    if (!runs_on(lab, backend_kind::sim)) continue;
    for (const auto& variant : {judge::starter_of(lab), judge::solution_of(lab)})
      if (const kernel_job job{&lab, variant};
          exists(variant.source) && was_checked(job) && !untouched(job) && !already_profiled(job))
        all.push_back(job);
  }
  return all;
}

struct profiled {
  json document;
  std::optional<judge::kernel_counts> counted{};  ///< of one launcher at its first size
};

profiled profile_of(const entry& lab, const judge::kernel_variant& which, const judge::profile_options& options,
                    const std::string& counted_launcher) {
  const auto result = judge::profile_kernel(lab, which, options);
  profiled one{to_json(result)};
  one.document.update(
      {{"date", now()}, {"file", which.source.filename().string()}, {"source", lab::read_whole(which.source)}});
  const auto counted = std::ranges::find(result.profiles, counted_launcher, &judge::profile::launcher);
  if (counted != result.profiles.end() && !counted->report.launches.empty()) {
    one.counted = judge::count(lab.name, counted->report);
    one.document.update(
        {{"compared", counted_launcher}, {"counts", to_json(*one.counted)}, {"changed", what_is_wasted(*one.counted)}});
  }
  for (const auto& profile : result.profiles)
    if (profile.verdict != verdict_kind::pass)
      one.document["message"] = fmt::format("{}: {}", word(profile.verdict), profile.message);
  return one;
}

// Every size that the document has for this launcher: one size may show only some of its kernels.
std::vector<problem_size> sizes_in(const json& document, const std::string& launcher) {
  std::vector<problem_size> all;
  for (const auto& launch : document["launches"]) {
    const auto size = *problem_size::parse(launch["size"].get<std::string>());
    if (launch["launcher"] == launcher && std::ranges::find(all, size) == all.end()) all.push_back(size);
  }
  return all;
}

// The last launcher that improves on another kernel, because a lab's stages lead to its last one; else the first.
const launcher_spec& compared_launcher(const entry& lab) {
  const auto& all = lab.definition.launchers;
  const auto improves = [&](const launcher_spec& one) {
    return judge::find_step_before(lab, one, judge::size_to_count(one)).has_value();
  };
  const auto found = std::find_if(all.rbegin(), all.rend(), improves);
  return found == all.rend() ? all.front() : *found;
}

json with_step_before(const kernel_job& job, judge::profile_options options) {
  const auto& launcher = compared_launcher(*job.lab);
  auto own = profile_of(*job.lab, job.variant, options, launcher.name);
  options.sizes = sizes_in(own.document, launcher.name);
  if (!own.counted || options.sizes.empty()) return own.document;
  if (const auto before = judge::find_step_before(*job.lab, launcher, options.sizes.front())) {
    const auto& same = before->lab.definition.launchers.front();
    std::erase_if(options.sizes, [&](const problem_size& size) { return refused(same, size); });
    auto earlier = profile_of(before->lab, before->kernel, options, same.name);
    if (earlier.counted) {
      earlier.counted->name = before->name;
      own.document["changed"] = what_changed(*earlier.counted, *own.counted);
    }
    own.document["before"] = earlier.document;
  }
  return own.document;
}

}  // namespace

void save_report_profiles(const terminal& out) {
  const auto jobs = to_profile();
  if (jobs.empty()) return;
  if (const auto can = judge::probe(backend_kind::sim); !can.usable)
    return out.print(
        fmt::format("The report shows no memory accesses, because the simulator cannot run here: {}", can.reason));
  out.print(fmt::format("Counting the memory accesses of {} kernels on the simulator", jobs.size()));
  for (const auto& job : jobs) {
    out.progress(fmt::format("{}: counting memory accesses", job.lab->name));
    judge::profile_options options;
    options.seed = 1;
    keep_result("profile", job.lab->name, job.variant.word, "sim", with_step_before(job, options));
  }
  out.clear_progress();
}

void save_machine_code(const terminal& out) {
  if (judge::nvcc().empty()) return;
  for (const auto& lab : labs()) {
    const kernel_job job{&lab, judge::starter_of(lab)};
    if (!exists(job.variant.source) || !was_checked(job) || untouched(job) || already_listed(job)) continue;
    out.progress(fmt::format("{}: listing machine code", lab.name));
    if (const auto document = machine_code_document(job))
      keep_result("asm", lab.name, job.variant.word, "cuda", *document);
  }
  out.clear_progress();
}

}  // namespace lab::cli
