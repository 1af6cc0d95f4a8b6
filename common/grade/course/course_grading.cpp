#include "grade/course/course_grading.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "grade/course/executor.hpp"
#include "grade/course/record_log.hpp"
#include "grade/course/slurm.hpp"
#include "grade/report/report.hpp"
#include "judge/session.hpp"
#include "lab/lab_definition.hpp"
#include "support/parallel.hpp"
#include "support/random_seed.hpp"
#include "text/sanitize.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

namespace {

std::vector<std::string> chosen_labs(const request& r) {
  if (!r.labs.empty()) return r.labs;
  std::vector<std::string> all;
  for (const auto& e : labs()) all.push_back(e.name);
  return all;
}

// As root, untrusted programs run as another user, who must get at the copies of the sources.
void require_passable(const fs::path& folder) {
  if (geteuid() != 0) return;
  for (auto p = folder; p.has_relative_path(); p = p.parent_path())
    if ((fs::status(p).permissions() & fs::perms::others_exec) == fs::perms::none)
      throw std::runtime_error(
          fmt::format("other users cannot pass through {0}; choose another --out, or: chmod o+x {0}", p.string()));
}

void prepare_folder(const plan& p, bool resume) {
  if (fs::exists(p.folder()) && !resume)
    throw usage_error(
        fmt::format("{} holds a grading already; --resume goes on with it, or choose another --out", p.out.string()));
  fs::create_directories(p.folder());
  fs::permissions(p.folder(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  require_passable(p.folder());
}

// Hidden inputs stay the same when a grading is resumed.
std::uint64_t hidden_seed(const plan& p, const policy& rules) {
  if (rules.hidden_seed) return *rules.hidden_seed;
  return fs::exists(p.file()) ? load_plan(p.file()).hidden_seed : fresh_seed();
}

class progress_line {
 public:
  progress_line(const request& r, std::size_t all, std::size_t done) : r_{r}, all_{all}, done_{done}, before_{done} {}

  void add(const row& row) {
    ++done_;
    if (!r_.progress) return;
    const std::chrono::duration<double> passed = clock::now() - begin_;
    const double left = passed.count() / double(done_ - before_) * double(all_ - done_);
    r_.progress(fmt::format("[{}/{}, {:.0f} s left] {} {}: {}", done_, all_, left, sanitize::log(row.student), row.lab,
                            word(row.verdict)));
  }
  void take_back(std::size_t some) { done_ -= some; }

 private:
  const request& r_;
  std::size_t all_, done_, before_;
  clock::time_point begin_ = clock::now();
};

std::vector<std::size_t> unfinished(const plan& p, const record_log& log) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < p.jobs.size(); ++i)
    if (!log.rows().contains(p.jobs[i].key)) numbers.push_back(i);
  return numbers;
}

// One measurement or device at a time on a GPU.
unsigned width_of(const request& r) {
  if (r.jobs > 0) return r.jobs;
  return r.backend == backend_kind::cuda ? 1 : cores();
}

}  // namespace

std::vector<row> rows_of(const plan& p, const policy& rules, const std::map<std::string, row>& known) {
  std::vector<row> rows;
  for (const auto& j : p.jobs) {
    const auto at = known.find(j.key);
    rows.push_back(at != known.end()
                       ? at->second
                       : row_without_run(p, rules, j, verdict_kind::infra_error,
                                         "not graded, through a fault of the machine; run with --resume"));
  }
  return rows;
}

void collect_class(const fs::path& plan_file) {
  const auto p = load_plan(plan_file);
  const auto rules = policy_from(p.rules);
  try {
    record_log log{p.folder() / "log.jsonl"};
    take_records(p, rules, [&](const row& one) { log.add(one); });
    write_reports(p.out, rows_of(p, rules, log.rows()));
  } catch (const busy_log&) {
    // The grader that submitted the jobs is still there, and collects by itself.
  }
}

std::vector<row> grade_class(const request& r) {
  const auto rules = policy_from(r.rules);
  plan p{.out = fs::absolute(r.out).lexically_normal()};
  p.backend = r.backend;
  p.sandbox = r.sandbox;
  p.rules = r.rules;
  p.labs = chosen_labs(r);
  prepare_folder(p, r.resume);
  record_log log{p.folder() / "log.jsonl"};
  p.hidden_seed = hidden_seed(p, rules);
  fill(p, collect(r.submissions, p.labs, confinement_of(r.sandbox, 0)));
  save(p);
  take_records(p, rules, [&](const row& one) { log.add(one); });
  auto numbers = unfinished(p, log);
  progress_line line{r, p.jobs.size(), p.jobs.size() - numbers.size()};
  const auto take = [&](const row& one) {
    log.add(one);
    line.add(one);
  };
  for (int attempt = 0; attempt < 2 && !numbers.empty(); ++attempt) {
    if (r.executor == executor::slurm)
      run_on_slurm(p, rules, numbers, r.jobs, take);
    else
      run_here(p, rules, numbers, width_of(r), take);
    numbers = unfinished(p, log);
    line.take_back(numbers.size());
  }
  auto rows = rows_of(p, rules, log.rows());
  write_reports(p.out, rows);
  return rows;
}

}  // namespace lab::grade
