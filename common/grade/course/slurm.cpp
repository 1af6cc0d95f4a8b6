#include "grade/course/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "support/installation.hpp"
#include "text/atomic_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

constexpr double command_timeout_s = 60;
constexpr std::size_t most_tasks = 1000;  // Slurm's own default for the size of an array

fs::path records(const plan& p) { return p.folder() / "slurm"; }

std::string shell_word(const std::string& word) {
  std::string all = "'";
  for (const char c : word) all += c == '\'' ? "'\\''" : std::string{c};
  return all + "'";
}

lab::finished ask(std::vector<std::string> command) {
  lab::spawn_request r;
  r.arguments = std::move(command);
  r.environment = lab::clean_environment({"SLURM_CONF", "USER", "HOME"});
  r.folder = "/";
  return run_program(r, command_timeout_s);
}

// sbatch --parsable prints "12" or "12;cluster".
std::string submit(const std::vector<std::string>& options, const fs::path& script) {
  std::vector<std::string> command{"sbatch", "--parsable", "--export=NIL"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const auto end = ask(command);
  if (!end.well()) throw std::runtime_error("sbatch refuses the jobs: " + end.output);
  const auto digits = end.output.find_first_not_of("0123456789");
  if (digits == 0) throw std::runtime_error("sbatch does not name a job: " + end.output);
  return end.output.substr(0, digits);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? fmt::format("export {}={}\n", name, shell_word(value)) : "";
}

std::string head() {
  auto text = fmt::format(
      "#!/bin/sh\nexport PATH=/usr/local/cuda/bin:/usr/bin:/bin LC_ALL=C\nexport LAB_ROOT={} LAB_BUILD={}\n",
      shell_word(lab::here().root.string()), shell_word(lab::here().build.string()));
  return text + environment("LAB_NVCC") + environment("LAB_CUDA_ARCH");
}

// Tasks are numbered from 0; `jobs` says which job of the plan a task grades. A record appears in one step, so a task
// that Slurm runs a second time after its node failed does no harm.
fs::path array_script(const plan& p, const std::vector<std::size_t>& jobs) {
  const auto file = records(p) / "array.sh";
  const auto command = worker_command(p, 0, "");
  auto text = head() + fmt::format("set -- {}\nshift $SLURM_ARRAY_TASK_ID\njob=$1\n", fmt::join(jobs, " "));
  text += fmt::format(
      "LAB_SIM_THREADS=1 exec {} grade-worker --supervised --plan {} --job \"$job\" --record {}/\"$job\".json\n",
      shell_word(command.front()), shell_word(p.file().string()), shell_word(records(p).string()));
  write_atomically(file, text, true);
  return file;
}

fs::path collect_script(const plan& p) {
  const auto file = records(p) / "collect.sh";
  write_atomically(
      file,
      head() + fmt::format("{} grade-collect --plan {}\n: > {}\n", shell_word(worker_command(p, 0, "").front()),
                           shell_word(p.file().string()), shell_word((records(p) / "finished").string())),
      true);
  return file;
}

std::vector<std::string> array_options(const plan& p, const policy& rules, std::size_t tasks, unsigned width) {
  const auto limit = width > 0 ? fmt::format("%{}", width) : "";
  const auto minutes = static_cast<int>(std::ceil(rules.job_seconds / 60)) + 1;
  std::vector<std::string> all{fmt::format("--array=0-{}{}", tasks - 1, limit),
                               "--requeue",
                               "--job-name=lab-grade",
                               fmt::format("--time={}", minutes),
                               "--cpus-per-task=1",
                               fmt::format("--output={}/task-%a.txt", records(p).string())};
  if (p.backend == backend_kind::cuda) all.insert(all.end(), {"--gpus=1"});
  return all;
}

// Slurm forgets a job some minutes after its end; then nothing is printed.
bool still_known(const std::string& job) {
  const auto end = ask({"squeue", "--noheader", "--jobs=" + job, "--format=%T %r"});
  // The dependency can never be met once the array was cancelled in a certain way; nobody will run the job then.
  if (end.output.find("DependencyNeverSatisfied") != std::string::npos) ask({"scancel", job});
  return end.well() && end.output.find_first_not_of(" \n") != std::string::npos;
}

void run_array(const plan& p, const policy& rules, const std::vector<std::size_t>& numbers, unsigned width,
               const row_sink& done) {
  fs::create_directories(records(p));
  fs::remove(records(p) / "finished");
  const auto array = submit(array_options(p, rules, numbers.size(), width), array_script(p, numbers));
  const auto collector = submit({"--dependency=afterany:" + array, "--job-name=lab-grade-collect", "--time=10",
                                 fmt::format("--output={}/collect.txt", records(p).string())},
                                collect_script(p));
  for (bool there = true; there;) {
    usleep(500'000);
    there = !fs::exists(records(p) / "finished") && still_known(collector);
    take_records(p, rules, done);
  }
}

}  // namespace

bool slurm_is_there() {
  try {
    return ask({"sbatch", "--version"}).well();
  } catch (const std::exception&) {
    return false;
  }
}

void take_records(const plan& p, const policy& rules, const row_sink& done) {
  if (!fs::is_directory(records(p))) return;
  for (std::size_t number = 0; number < p.jobs.size(); ++number) {
    const auto record = records(p) / fmt::format("{}.json", number);
    if (!fs::exists(record)) continue;
    done(read_record(p, rules, number, record, ""));
    fs::remove(record);
  }
}

void run_on_slurm(const plan& p, const policy& rules, const std::vector<std::size_t>& numbers, unsigned width,
                  const row_sink& done) {
  for (std::size_t begin = 0; begin < numbers.size(); begin += most_tasks) {
    const auto end = std::min(numbers.size(), begin + most_tasks);
    run_array(
        p, rules,
        {numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.begin() + static_cast<std::ptrdiff_t>(end)},
        width, done);
  }
}

}  // namespace lab::grade
