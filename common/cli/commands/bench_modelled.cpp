#include "cli/commands/bench_modelled.hpp"

#include <fmt/format.h>

#include <deque>
#include <mutex>

#include "bench/rivals.hpp"
#include "model/modelled_text.hpp"
#include "support/parallel.hpp"

namespace lab::cli {

namespace {

struct call_to_model {
  judge::kernel_counter* counter;
  launcher_spec launcher;
  problem_size size;
  judge::modelled_kernel result{};
};

struct modelled_launcher {
  std::size_t ours;  // among the calls
  std::optional<std::size_t> before{};
  std::string name_before{};
};

// The calls of a lab that are modelled, its launchers' and those of the steps before. Launchers in one file share its
// compilations.
class calls_to_model {
 public:
  calls_to_model(const kernel_job& job, const judge::bench_options& options, std::function<void(std::string)> progress)
      : options_{options} {
    options_.progress = std::move(progress);
    for (const auto& launcher : job.lab->definition.launchers)
      if (const auto size = judge::size_to_model(launcher)) add(job, launcher, *size);
  }

  void run(const judge::gpu_parameters& gpu) {
    parallel_for(static_cast<std::int64_t>(calls_.size()), [&](std::int64_t i) {
      auto& call = calls_[static_cast<std::size_t>(i)];
      call.result = judge::model(*call.counter, call.launcher, call.size, gpu);
    });
  }

  const std::vector<modelled_launcher>& launchers() const { return launchers_; }
  const call_to_model& operator[](std::size_t i) const { return calls_[i]; }

 private:
  void add(const kernel_job& job, const launcher_spec& launcher, const problem_size& size) {
    launchers_.push_back({add(*job.lab, job.variant.source, launcher, size)});
    const auto before = options_.alone ? std::nullopt : judge::find_step_before(*job.lab, launcher, size);
    if (!before) return;
    const auto& theirs = before->lab.definition.launchers.front();
    launchers_.back().before = add(before->lab, before->kernel.source, theirs, size);
    launchers_.back().name_before = before->name;
  }

  std::size_t add(const entry& lab, const std::filesystem::path& source, const launcher_spec& launcher,
                  const problem_size& size) {
    calls_.push_back({&counter_of(lab, source), launcher, size});
    return calls_.size() - 1;
  }

  judge::kernel_counter& counter_of(const entry& lab, const std::filesystem::path& source) {
    for (auto& known : counters_)
      if (known.source() == source) return known;
    return counters_.emplace_back(lab, source, options_);
  }

  judge::bench_options options_;
  std::deque<judge::kernel_counter> counters_;
  std::vector<call_to_model> calls_;
  std::vector<modelled_launcher> launchers_;
};

}  // namespace

void show_modelled(const kernel_job& job, const judge::bench_options& options, const judge::gpu_parameters& gpu,
                   const terminal& out) {
  std::mutex telling;
  const auto progress = [&](const std::string& what) {
    const std::lock_guard one_at_a_time{telling};
    out.progress(fmt::format("modelling {}: {}", job.lab->name, what));
  };
  calls_to_model calls{job, options, progress};
  calls.run(gpu);
  for (const auto& one : calls.launchers()) {
    const auto& [counter, launcher, size, ours] = calls[one.ours];
    out.print(fmt::format("\n  {} {}: {}", launcher.name, size.name(), modelled_time_text(ours, gpu)));
    if (const auto gain = largest_gain(ours, gpu)) out.print("    " + *gain);
    if (!one.before || !ours.known()) continue;
    const auto& theirs = calls[*one.before].result;
    if (theirs.known()) out.print("    " + modelled_comparison(ours, theirs, one.name_before));
  }
}

}  // namespace lab::cli
