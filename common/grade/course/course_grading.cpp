#include "grade/course/course_grading.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "build/kernel_cache.hpp"
#include "grade/course/class_roster.hpp"
#include "grade/course/executor.hpp"
#include "grade/course/job_runs.hpp"
#include "grade/course/record_log.hpp"
#include "grade/course/regrade.hpp"
#include "grade/course/sizes_of_policy.hpp"
#include "grade/job/plan_cases.hpp"
#include "grade/report/gradebook.hpp"
#include "grade/report/report.hpp"
#include "judge/session.hpp"
#include "lab/lab_definition.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::vector<std::string> chosen_labs(const grading_request& request) {
  if (!request.labs.empty()) return request.labs;
  std::vector<std::string> all;
  for (const auto& lab : labs()) all.push_back(lab.name);
  return all;
}

// As root, untrusted programs run as another user, which must be able to read the copies of the sources.
void require_passable(const fs::path& folder) {
  if (geteuid() != 0) return;
  for (auto at = folder; at.has_relative_path(); at = at.parent_path())
    if ((fs::status(at).permissions() & fs::perms::others_exec) == fs::perms::none)
      throw std::runtime_error(
          fmt::format("other users cannot enter {0}; choose another --out, or run: chmod o+x {0}", at.string()));
}

void prepare_folder(const grading_plan& plan, bool resume) {
  if (fs::exists(plan.folder()) && !resume)
    throw usage_error(fmt::format("{} already holds a grading; continue it with --resume, or choose another --out",
                                  plan.out.string()));
  const bool is_new = fs::create_directories(plan.out);
  fs::create_directories(plan.folder() / "sources");
  // Other users cannot list these folders. They must pass through them only if untrusted programs run as other users.
  const auto passable = geteuid() == 0 ? fs::perms::group_exec | fs::perms::others_exec : fs::perms::none;
  if (is_new) fs::permissions(plan.out, fs::perms::owner_all | passable);
  fs::permissions(plan.folder(), fs::perms::owner_all | passable);
  fs::permissions(plan.folder() / "sources", fs::perms::owner_all | passable);
  require_passable(plan.folder());
}

// A resumed grading keeps its inputs, and with them what its rows depend on.
void choose_inputs(grading_plan& plan, const grading_policy& policy) {
  std::optional<grading_plan> before;
  if (fs::exists(plan.file())) before = load_plan(plan.file());
  plan.seed = policy.seed ? *policy.seed : before ? before->seed : fresh_seed();
  plan.hidden_seed = policy.hidden_seed ? *policy.hidden_seed : before ? before->hidden_seed : fresh_seed();
  if (!before) return;
  plan.free_cases = before->free_cases;
  plan.fresh_sizes = before->fresh_sizes;
}

void draw_fresh_sizes(grading_plan& plan, const grading_policy& policy, const grading_request& request) {
  for (const auto& lab : plan.labs) {
    const auto handed_in = [&](const grading_job& job) { return job.lab == lab && !job.trouble; };
    if (plan.fresh_sizes.contains(lab) || std::ranges::none_of(plan.jobs, handed_in)) continue;
    if (policy.of(lab).fresh > 0 && request.progress) request.progress(fmt::format("drawing sizes for {}", lab));
    plan.fresh_sizes[lab] = fresh_sizes_of(plan, policy, lab);
    if (plan.fresh_sizes[lab].empty() && policy.of(lab).fresh > 0 && request.warn)
      request.warn(fmt::format("{} has no fresh hidden sizes: its solution passes at none of the sizes drawn", lab));
  }
}

void find_free_cases(grading_plan& plan, const grading_policy& policy, const grading_request& request) {
  for (const auto& lab : plan.labs) {
    const auto handed_in = [&](const grading_job& job) { return job.lab == lab && !job.trouble; };
    if (plan.free_cases.contains(lab) || std::ranges::none_of(plan.jobs, handed_in)) continue;
    if (request.progress) request.progress(fmt::format("looking for cases that the starter of {} passes", lab));
    plan.free_cases[lab] = free_cases_of(plan, policy, lab);
  }
}

// What killed graders left, and built kernels beyond what the cache may hold.
void clean_up() {
  judge::remove_abandoned_builds();
  remove_abandoned_folders();
  judge::trim_cache(judge::most_cached_bytes);
}

void write_all(const grading_plan& plan, const std::vector<row>& rows) {
  write_reports(plan.out, rows, policy_from(plan.rules).leaderboard);
  write_atomically(plan.out / "gradebook.csv", gradebook(roster_of(plan), rows), true);
}

// Every entry of the folder of submissions has rows, or stands here.
void list_not_graded(const grading_plan& plan, const grading_request& request, const std::vector<left_out>& entries) {
  std::string text = "entry,because\r\n";
  for (const auto& [entry, because] : entries) {
    text += fmt::format("{},{}\r\n", sanitize::csv(entry), sanitize::csv(because));
    if (request.warn) request.warn(fmt::format("{} is not graded: {}", sanitize::log(entry), because));
  }
  write_atomically(plan.out / "not_graded.csv", text, true);
}

std::vector<std::size_t> unfinished(const grading_plan& plan, const record_log& log) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i)
    if (!log.rows().contains(plan.jobs[i].key)) numbers.push_back(i);
  return numbers;
}

}  // namespace

std::vector<row> rows_of(const grading_plan& plan, const grading_policy& policy,
                         const std::map<std::string, row>& known) {
  std::vector<row> rows;
  for (const auto& job : plan.jobs) {
    const auto at = known.find(job.key);
    rows.push_back(at != known.end()
                       ? at->second
                       : row_without_run(plan, policy, job, verdict_kind::infra_error,
                                         "not graded because of a machine error; run again with --resume"));
  }
  return rows;
}

void collect_class(const fs::path& plan_file) {
  const auto plan = load_plan(plan_file);
  const auto policy = policy_from(plan.rules);
  try {
    record_log log{plan.folder() / "log.jsonl"};
    std::map<std::string, row> taken;
    take_left_records(plan, policy, [&](const row& graded) {
      log.add(graded);
      taken[graded.key] = graded;
    });
    auto known = log.rows();
    known.merge(taken);
    write_all(plan, rows_of(plan, policy, known));
  } catch (const busy_log&) {
    // The grader that submitted the jobs still runs, and collects the rows itself.
  }
}

namespace {

// The grading that is regraded: its labs, roster and, without other rules, its policy stay.
std::optional<grading_plan> grading_before(const grading_request& request, grading_plan& plan) {
  if (request.regrade.empty()) return std::nullopt;
  if (!fs::exists(plan.file()))
    throw usage_error(fmt::format("--regrade: {} holds no grading; grade the class first", plan.out.string()));
  auto before = load_plan(plan.file());
  if (before.backend != plan.backend)
    throw usage_error(
        fmt::format("--regrade: the grading ran with --backend {0}; add --backend {0}", word(before.backend)));
  plan.labs = before.labs;
  plan.roster = before.roster;
  if (!request.rules) plan.rules = before.rules;
  return before;
}

}  // namespace

std::vector<row> grade_class(const grading_request& request) {
  grading_plan plan{.out = fs::absolute(request.out).lexically_normal()};
  plan.backend = request.backend;
  plan.sandbox_level = request.sandbox_level;
  plan.rules = request.rules.value_or(json::object());
  plan.labs = chosen_labs(request);
  const auto before = grading_before(request, plan);
  const auto policy = policy_from(plan.rules);
  if (request.rules) require_sizes_that_can_pass(request, plan, policy);
  prepare_folder(plan, request.resume || before);
  record_log log{plan.folder() / "log.jsonl"};
  clean_up();
  choose_inputs(plan, policy);
  if (!request.roster.empty() || !before) plan.roster = request.roster;
  auto found = collect(request.submissions, plan.labs, sandbox::confinement_of(request.sandbox_level, 0), plan.out);
  list_not_graded(plan, request, found.not_graded);
  warn_of_unknown_times(request, policy, found.students);
  warn_of_unknown_students(request, plan, found.students);
  add_absent_students(plan, found.students);
  fill(plan, found.students);
  const auto again = before ? keep_all_but(request.regrade, *before, plan) : std::vector<std::size_t>{};
  if (request.progress) request.progress(gates_in_words(policy, plan.labs));
  draw_fresh_sizes(plan, policy, request);
  find_free_cases(plan, policy, request);
  save(plan);
  take_left_records(plan, policy, [&](const row& graded) { log.add(graded); });
  grade_jobs(plan, policy, request, before ? again : unfinished(plan, log), log);
  auto rows = rows_of(plan, policy, log.rows());
  write_all(plan, rows);
  clean_up();
  return rows;
}

}  // namespace lab::grade
