#include "grade/course/executor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "grade/job/grade_one.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_at_a_time = 512;  // two jobs with the same number modulo 512 never run together

std::vector<int> cores_of_this_process() {
  std::vector<int> all;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) all.push_back(core);
  return all;
}

// The share of the cores that the job at this place of `width` may use, so that a job with many busy threads slows no
// other. Empty for all cores. A GPU's driver chooses cores for its threads itself.
std::vector<int> cores_of_job(const grading_plan& plan, unsigned place, unsigned width) {
  const auto all = cores_of_this_process();
  const auto count = static_cast<unsigned>(all.size());
  if (width < 2 || count < 2 || plan.backend == backend_kind::cuda) return {};
  if (width >= count) return {all[place % count]};
  return {all.begin() + place * count / width, all.begin() + (place + 1) * count / width};
}

// A place among the jobs that run at the same time.
struct job_place {
  unsigned number;
  machine_share of;
};

lab::spawn_request request_for(const grading_plan& plan, std::size_t number, job_place place, const fs::path& record) {
  lab::spawn_request request;
  request.cores = cores_of_job(plan, place.number, place.of.jobs);
  request.arguments = worker_command(plan, number, record);
  request.environment = lab::clean_environment({"LAB_NVCC", "LAB_CUDA_ARCH", "CUDA_VISIBLE_DEVICES", "LAB_CXX"});
  for (auto& variable : lab::here().variables()) request.environment.push_back(std::move(variable));
  request.environment.push_back(fmt::format("LAB_SIM_THREADS={}", std::max(1u, place.of.threads / place.of.jobs)));
  return request;
}

std::string ending_of(int status, const std::string& output) {
  const auto cause =
      WIFSIGNALED(status) ? lab::signal_name(WTERMSIG(status)) : fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format("the worker ended with {} {}", cause, output);
}

// A worker process and its job.
class running_job {
 public:
  running_job(const grading_plan& plan, const grading_policy& policy, std::size_t number, job_place place)
      : place{place.number},
        plan_{plan},
        policy_{policy},
        number_{number},
        record_{plan.folder() / fmt::format("record-{}.json", number)},
        worker_{request_for(plan, number, place, record_)},
        deadline_{clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(policy.job_seconds * 1e3))} {}

  const unsigned place;

  int exit_descriptor() const { return worker_.exit_descriptor(); }

  // The row, if the worker has ended.
  std::optional<row> finished() {
    worker_.read_output();
    if (const auto status = worker_.ended()) {
      auto graded = read_record(plan_, policy_, number_, record_, ending_of(*status, worker_.output()));
      fs::remove(record_);
      return graded;
    }
    if (clock::now() < deadline_) return std::nullopt;
    worker_.kill();
    auto graded = row_without_run(plan_, policy_, plan_.jobs[number_], verdict_kind::timeout,
                                  fmt::format("all cases together took more than {:g} s", policy_.job_seconds));
    graded.timed_out = true;
    return graded;
  }

 private:
  const grading_plan& plan_;
  const grading_policy& policy_;
  std::size_t number_;
  fs::path record_;
  lab::child worker_;
  clock::time_point deadline_;
};

using running_jobs = std::vector<std::unique_ptr<running_job>>;

void wait_for_any(const running_jobs& all) {
  std::vector<pollfd> ends;
  for (const auto& one : all) ends.push_back({one->exit_descriptor(), POLLIN, 0});
  poll(ends.data(), ends.size(), 100);
}

unsigned free_place(const running_jobs& all) {
  unsigned place = 0;
  while (std::ranges::any_of(all, [&](const auto& one) { return one->place == place; })) ++place;
  return place;
}

}  // namespace

std::vector<std::string> worker_command(const grading_plan& plan, std::size_t number, const fs::path& record) {
  return {(lab::here().build / "bin/lab").string(),
          "grade-worker",
          "--plan",
          plan.file().string(),
          "--job",
          std::to_string(number),
          "--record",
          record.string()};
}

namespace {

void write_record(const row& graded, const fs::path& record) {
  write_atomically(record, to_json(graded).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), true);
}

}  // namespace

void run_worker(const fs::path& plan_file, std::size_t number, const fs::path& record) {
  prctl(PR_SET_DUMPABLE, 0);  // no kernel of the same user may read expected values here
  const auto plan = load_plan(plan_file);
  write_record(
      grade_one(plan, policy_from(plan.rules), plan.jobs.at(number), static_cast<unsigned>(number % most_at_a_time)),
      record);
}

void run_supervised_worker(const fs::path& plan_file, std::size_t number, const fs::path& record, unsigned threads) {
  const auto plan = load_plan(plan_file);
  run_here(plan, policy_from(plan.rules), {number}, {.threads = threads},
           [&](const row& graded) { write_record(graded, record); });
}

row read_record(const grading_plan& plan, const grading_policy& policy, std::size_t number, const fs::path& record,
                const std::string& ending) {
  const auto& job = plan.jobs.at(number);
  if (!fs::exists(record)) return row_without_run(plan, policy, job, verdict_kind::infra_error, ending);
  try {
    auto graded = row_from(nlohmann::json::parse(lab::read_whole(record)));
    if (graded.key == job.key) return graded;
  } catch (const std::exception&) {
  }
  return row_without_run(plan, policy, job, verdict_kind::infra_error, "the worker's record is damaged");
}

void run_here(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
              machine_share share, const row_sink& done) {
  running_jobs busy;
  for (std::size_t next = 0; next < numbers.size() || !busy.empty();) {
    while (next < numbers.size() && busy.size() < share.jobs)
      busy.push_back(std::make_unique<running_job>(plan, policy, numbers[next++], job_place{free_place(busy), share}));
    wait_for_any(busy);
    std::erase_if(busy, [&](const auto& one) {
      const auto graded = one->finished();
      if (graded) done(*graded);
      return graded.has_value();
    });
  }
}

}  // namespace lab::grade
