#include "grade/course/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "support/installation.hpp"
#include "text/atomic_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

constexpr double command_timeout_s = 60;
constexpr std::size_t most_tasks = 1000;  // Slurm's default limit on the size of an array

fs::path records(const grading_plan& plan, company with) {
  return plan.folder() / (with == company::others ? "slurm" : "slurm/alone");
}

std::string shell_quoted(const std::string& word) {
  std::string all = "'";
  for (const char letter : word) all += letter == '\'' ? "'\\''" : std::string{letter};
  return all + "'";
}

lab::finished run_slurm_command(std::vector<std::string> command) {
  lab::spawn_request request;
  request.arguments = std::move(command);
  request.environment = lab::clean_environment({"SLURM_CONF", "USER", "HOME"});
  request.folder = "/";
  return run_program(request, command_timeout_s);
}

// sbatch --parsable prints "12" or "12;cluster".
std::string submit(const std::vector<std::string>& options, const fs::path& script) {
  std::vector<std::string> command{"sbatch", "--parsable", "--export=NIL"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const auto end = run_slurm_command(command);
  if (!end.well()) throw std::runtime_error("sbatch refused the jobs: " + end.output);
  const auto digits = end.output.find_first_not_of("0123456789");
  if (digits == 0) throw std::runtime_error("sbatch printed no job number: " + end.output);
  return end.output.substr(0, digits);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? fmt::format("export {}={}\n", name, shell_quoted(value)) : "";
}

std::string script_head() {
  std::string text = "#!/bin/sh\nexport PATH=/usr/local/cuda/bin:/usr/bin:/bin LC_ALL=C\n";
  for (const auto& variable : lab::here().variables()) text += "export " + shell_quoted(variable) + "\n";
  return text + environment("LAB_CXX") + environment("LAB_NVCC") + environment("LAB_CUDA_ARCH");
}

// The cores of the node that Slurm gave to the task. Without the plugin task/affinity, the task itself sees all.
constexpr std::string_view given_cores = "\"${SLURM_CPUS_ON_NODE:-1}\"";

// Task i grades job jobs[i] of the plan. Slurm may run a task a second time after a node failure. That is safe because
// a record is written in one step.
fs::path array_script(const grading_plan& plan, const std::vector<std::size_t>& jobs, const fs::path& folder) {
  const auto file = folder / "array.sh";
  const auto command = worker_command(plan, 0, "");
  auto text = script_head() + fmt::format("set -- {}\nshift $SLURM_ARRAY_TASK_ID\njob=$1\n", fmt::join(jobs, " "));
  text += fmt::format("exec {} grade-worker --supervised {} --plan {} --job \"$job\" --record {}/\"$job\".json\n",
                      shell_quoted(command.front()), given_cores, shell_quoted(plan.file().string()),
                      shell_quoted(folder.string()));
  write_atomically(file, text, true);
  return file;
}

fs::path collect_script(const grading_plan& plan, const fs::path& folder) {
  const auto file = folder / "collect.sh";
  write_atomically(
      file,
      script_head() + fmt::format("{} grade-collect --plan {}\n: > {}\n",
                                  shell_quoted(worker_command(plan, 0, "").front()), shell_quoted(plan.file().string()),
                                  shell_quoted((folder / "finished").string())),
      true);
  return file;
}

std::vector<std::string> array_options(const grading_plan& plan, const grading_policy& policy, std::size_t tasks,
                                       cluster_share share) {
  const auto limit = share.tasks > 0 ? fmt::format("%{}", share.tasks) : "";
  const auto minutes = static_cast<int>(std::ceil(policy.job_seconds / 60)) + 1;
  std::vector<std::string> all{fmt::format("--array=0-{}{}", tasks - 1, limit),
                               "--hold",
                               "--requeue",
                               "--job-name=lab-grade",
                               fmt::format("--time={}", minutes),
                               "--cpus-per-task=1",
                               fmt::format("--output={}/task-%a.txt", records(plan, share.with).string())};
  if (share.with == company::none) all.push_back("--exclusive");
  if (plan.backend == backend_kind::cuda) all.insert(all.end(), {"--gpus=1"});
  return all;
}

// squeue prints nothing for a job that Slurm has forgotten, some minutes after its end.
bool is_queued(const std::string& job) {
  const auto end = run_slurm_command({"squeue", "--noheader", "--jobs=" + job, "--format=%T %r"});
  // After some cancellations of the array the dependency can never be met. The job would then wait forever.
  if (end.output.find("DependencyNeverSatisfied") != std::string::npos) run_slurm_command({"scancel", job});
  return end.well() && end.output.find_first_not_of(" \n") != std::string::npos;
}

// An array that runs has its collector in the queue, whenever this process is killed: the array is held until then.
std::string start_array(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
                        cluster_share share) {
  const auto folder = records(plan, share.with);
  const auto array = submit(array_options(plan, policy, numbers.size(), share), array_script(plan, numbers, folder));
  try {
    const auto collector = submit({"--dependency=afterany:" + array, "--job-name=lab-grade-collect", "--time=10",
                                   fmt::format("--output={}/collect.txt", folder.string())},
                                  collect_script(plan, folder));
    const auto end = run_slurm_command({"scontrol", "release", array});
    if (!end.well()) throw std::runtime_error("scontrol does not release the jobs: " + end.output);
    return collector;
  } catch (const std::exception&) {
    run_slurm_command({"scancel", array});  // the collector ends by itself
    throw;
  }
}

void run_array(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
               cluster_share share, const row_sink& done) {
  const auto folder = records(plan, share.with);
  fs::create_directories(folder);
  fs::remove(folder / "finished");
  const auto collector = start_array(plan, policy, numbers, share);
  for (bool waiting = true; waiting;) {
    usleep(500'000);
    waiting = !fs::exists(folder / "finished") && is_queued(collector);
    take_records(plan, policy, share.with, done);
  }
}

}  // namespace

bool slurm_is_available() {
  try {
    return run_slurm_command({"sbatch", "--version"}).well();
  } catch (const std::exception&) {
    return false;
  }
}

void take_records(const grading_plan& plan, const grading_policy& policy, company with, const row_sink& done) {
  const auto folder = records(plan, with);
  if (!fs::is_directory(folder)) return;
  for (std::size_t number = 0; number < plan.jobs.size(); ++number) {
    const auto record = folder / fmt::format("{}.json", number);
    if (!fs::exists(record)) continue;
    done(read_record(plan, policy, number, record, ""));
    fs::remove(record);
  }
}

void run_on_slurm(const grading_plan& plan, const grading_policy& policy, const std::vector<std::size_t>& numbers,
                  cluster_share share, const row_sink& done) {
  for (std::size_t begin = 0; begin < numbers.size(); begin += most_tasks) {
    const auto end = std::min(numbers.size(), begin + most_tasks);
    run_array(
        plan, policy,
        {numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.begin() + static_cast<std::ptrdiff_t>(end)},
        share, done);
  }
}

}  // namespace lab::grade
