#include "grade/course/executor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "grade/job/grade_one.hpp"
#include "support/installation.hpp"
#include "support/parallel.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_at_a_time = 512;  // jobs that are so many apart never run together

lab::spawn_request request_for(const plan& p, std::size_t number, unsigned width, const fs::path& record) {
  lab::spawn_request r;
  r.arguments = worker_command(p, number, record);
  r.environment = lab::clean_environment({"LAB_NVCC", "LAB_CUDA_ARCH", "CUDA_VISIBLE_DEVICES", "LAB_CXX"});
  r.environment.push_back("LAB_ROOT=" + lab::here().root.string());
  r.environment.push_back("LAB_BUILD=" + lab::here().build.string());
  r.environment.push_back(fmt::format("LAB_SIM_THREADS={}", std::max(1u, cores() / width)));
  return r;
}

std::string how_it_ended(int status, const std::string& output) {
  const auto how =
      WIFSIGNALED(status) ? lab::signal_name(WTERMSIG(status)) : fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format("the worker ended with {} {}", how, output);
}

// One place of the pool: a worker process and what it works on.
class place {
 public:
  place(const plan& p, const policy& rules, std::size_t number, unsigned width)
      : plan_{p},
        rules_{rules},
        number_{number},
        record_{p.folder() / fmt::format("record-{}.json", number)},
        worker_{request_for(p, number, width, record_)},
        deadline_{clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(rules.job_seconds * 1e3))} {}

  int exit_descriptor() const { return worker_.exit_descriptor(); }

  // The row, once there is one.
  std::optional<row> finished() {
    worker_.read_output();
    if (const auto status = worker_.ended()) {
      auto r = read_record(plan_, rules_, number_, record_, how_it_ended(*status, worker_.output()));
      fs::remove(record_);
      return r;
    }
    if (clock::now() < deadline_) return std::nullopt;
    worker_.kill();
    return row_without_run(plan_, rules_, plan_.jobs[number_], verdict_kind::timeout,
                           fmt::format("all cases together took over {:g} s", rules_.job_seconds));
  }

 private:
  const plan& plan_;
  const policy& rules_;
  std::size_t number_;
  fs::path record_;
  lab::child worker_;
  clock::time_point deadline_;
};

using places = std::vector<std::unique_ptr<place>>;

void wait_for_any(const places& all) {
  std::vector<pollfd> on;
  for (const auto& one : all) on.push_back({one->exit_descriptor(), POLLIN, 0});
  poll(on.data(), on.size(), 100);
}

}  // namespace

std::vector<std::string> worker_command(const plan& p, std::size_t number, const fs::path& record) {
  return {(lab::here().build / "bin/lab").string(),
          "grade-worker",
          "--plan",
          p.file().string(),
          "--job",
          std::to_string(number),
          "--record",
          record.string()};
}

namespace {

void write_record(const row& r, const fs::path& record) {
  write_atomically(record, to_json(r).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), true);
}

}  // namespace

void work(const fs::path& plan_file, std::size_t number, const fs::path& record) {
  prctl(PR_SET_DUMPABLE, 0);  // a kernel of the same user must not read expected values here
  const auto p = load_plan(plan_file);
  write_record(grade_one(p, policy_from(p.rules), p.jobs.at(number), static_cast<unsigned>(number % most_at_a_time)),
               record);
}

void supervise(const fs::path& plan_file, std::size_t number, const fs::path& record) {
  const auto p = load_plan(plan_file);
  run_here(p, policy_from(p.rules), {number}, 1, [&](const row& r) { write_record(r, record); });
}

row read_record(const plan& p, const policy& rules, std::size_t number, const fs::path& record,
                const std::string& otherwise) {
  const auto& j = p.jobs.at(number);
  if (!fs::exists(record)) return row_without_run(p, rules, j, verdict_kind::infra_error, otherwise);
  try {
    auto r = row_from(nlohmann::json::parse(lab::read_whole(record)));
    if (r.key == j.key) return r;
  } catch (const std::exception&) {
  }
  return row_without_run(p, rules, j, verdict_kind::infra_error, "the worker's record is damaged");
}

void run_here(const plan& p, const policy& rules, const std::vector<std::size_t>& numbers, unsigned width,
              const row_sink& done) {
  places busy;
  for (std::size_t next = 0; next < numbers.size() || !busy.empty();) {
    while (next < numbers.size() && busy.size() < width)
      busy.push_back(std::make_unique<place>(p, rules, numbers[next++], width));
    wait_for_any(busy);
    std::erase_if(busy, [&](const auto& one) {
      const auto r = one->finished();
      if (r) done(*r);
      return r.has_value();
    });
  }
}

}  // namespace lab::grade
