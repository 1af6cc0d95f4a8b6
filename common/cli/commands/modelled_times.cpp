#include "cli/commands/modelled_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>

#include "bench/rivals.hpp"
#include "model/modelled_text.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"

namespace lab::cli {

namespace {

constexpr int niceness = 5;
constexpr const char* no_gpu = "none";
const std::string step_in(3, ' ');  // lines with four blanks are not broken

bool has(const entry& lab, const launcher_spec& launcher) {
  return std::ranges::find(lab.definition.launchers, launcher.name, &launcher_spec::name) !=
         lab.definition.launchers.end();
}

nlohmann::json time_of(const judge::modelled_kernel& kernel) {
  return {{"us", kernel.time.us}, {"low_us", kernel.low_us}, {"high_us", kernel.high_us}};
}

}  // namespace

void add_gpu_flag(command_line command, common_flags& flags) {
  command.add_option("--gpu", flags.gpu,
                     "on the simulator, show modelled times for this GPU, such as h200, a100 or t4; none: do not "
                     "(default: the GPU that the simulator imitates, or none with --size)");
}

const judge::gpu_parameters* gpu_to_model(const common_flags& flags, backend_kind backend) {
  if (flags.gpu == no_gpu) return nullptr;
  if (!flags.gpu.empty()) {
    const auto& gpu = judge::find_gpu(flags.gpu);
    if (backend == backend_kind::cuda) throw usage_error("--gpu models a time on the simulator; add --backend sim");
    return &gpu;
  }
  if (backend == backend_kind::cuda || !flags.sizes.empty()) return nullptr;
  const char* const imitated = std::getenv("LAB_SIM_DEVICE");
  if (!imitated || !*imitated) return &judge::known_gpus().front();
  const auto at = std::ranges::find(judge::known_gpus(), std::string_view{imitated}, &judge::gpu_parameters::name);
  return at == judge::known_gpus().end() ? nullptr : &*at;
}

// The calls of a lab that are modelled, its launchers' and those of the steps before. Launchers in one file share its
// compilations.
struct modelled_times::state {
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

  const kernel_job& job;
  judge::bench_options options;
  const judge::gpu_parameters& gpu;
  const terminal& out;
  std::atomic<bool> shown = false;  // before, `bench` tells what it does
  std::mutex telling{};
  std::shared_ptr<judge::call_inputs> inputs = std::make_shared<judge::call_inputs>();
  std::deque<judge::kernel_counter> counters{};
  std::vector<call_to_model> calls{};
  std::vector<modelled_launcher> launchers{};
  std::future<void> modelling{};

  void add(const launcher_spec& launcher, const problem_size& size) {
    launchers.push_back({call_of(*job.lab, job.variant.source, launcher, size)});
    const auto before = options.alone ? std::nullopt : judge::find_step_before(*job.lab, launcher, size);
    if (!before) return;
    const auto& theirs = before->lab.definition.launchers.front();
    // `bench` has checked it, if it belongs to the same stage.
    const bool own = before->in_same_file && has(*job.lab, theirs);
    const auto& source = own ? job.variant.source : before->kernel.source;
    launchers.back().before = call_of(before->lab, source, theirs, size);
    launchers.back().name_before = before->name;
  }

  std::size_t call_of(const entry& lab, const std::filesystem::path& source, const launcher_spec& launcher,
                      const problem_size& size) {
    auto& counter = counter_of(lab, source);
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (calls[i].counter == &counter && calls[i].launcher.name == launcher.name && calls[i].size == size) return i;
    calls.push_back({&counter, launcher, size});
    return calls.size() - 1;
  }

  judge::kernel_counter& counter_of(const entry& lab, const std::filesystem::path& source) {
    for (auto& known : counters)
      if (known.source() == source) return known;
    return counters.emplace_back(lab, source, options, inputs);
  }

  // The steps before are reference solutions. For them, the estimates and nvcc's numbers give the same times
  // (docs/design/time-model.md).
  judge::register_source registers_of(const judge::kernel_counter& counter) const {
    return counter.source() == job.variant.source ? judge::register_source::nvcc_if_needed
                                                  : judge::register_source::estimate;
  }

  std::string registers_text() const {
    const auto any = [&](const auto& what) {
      return std::ranges::any_of(launchers, [&](const auto& one) {
        const auto& result = calls[one.ours].result;
        return result.known() && what(result);
      });
    };
    if (any([](const auto& result) { return result.compiled_registers; })) return "as many as nvcc gives it.";
    if (any([](const auto& result) { return result.registers_matter; }))
      return "an estimate, because nvcc is missing or did not compile it.";
    return any([](const auto&) { return true; }) ? "an estimate; 0.8 or 2.25 times as many give the same times." : "";
  }

  void tell(const std::string& what) {
    const std::lock_guard one_at_a_time{telling};
    if (shown) out.progress(fmt::format("modelling {}: {}", job.lab->name, what));
  }

  void model_all() {
    parallel_for(static_cast<std::int64_t>(counters.size()), [&](std::int64_t i) {
      auto& counter = counters[static_cast<std::size_t>(i)];
      std::vector<call_to_model*> own;
      std::vector<judge::kernel_counter::call> wanted;
      for (auto& call : calls)
        if (call.counter == &counter) own.push_back(&call), wanted.push_back({call.launcher, call.size});
      auto results = judge::model(counter, wanted, gpu, registers_of(counter));
      for (std::size_t k = 0; k < own.size(); ++k) own[k]->result = std::move(results[k]);
    });
  }
};

modelled_times::modelled_times(const kernel_job& job, const judge::bench_options& options,
                               const judge::gpu_parameters& gpu, const terminal& out)
    : state_{new state{job, options, gpu, out}} {
  state_->options.progress = [&all = *state_](const std::string& what) { all.tell(what); };
  for (const auto& launcher : job.lab->definition.launchers)
    if (const auto size = judge::size_to_model(launcher)) state_->add(launcher, *size);
}

// A kernel that fails its check needs no time, so what has begun ends at its next step.
modelled_times::~modelled_times() {
  for (auto& counter : state_->counters) counter.stop();
}

// `bench` goes first: where it could use all cores, its thread and programs, which inherit this, give way.
void modelled_times::begin() {
  state_->modelling = std::async(std::launch::async, [&all = *state_] {
    give_way(niceness);
    all.model_all();
  });
}

void modelled_times::show() {
  auto& all = *state_;
  all.shown = true;
  all.tell("counting its accesses and instructions");
  all.modelling.valid() ? all.modelling.get() : all.model_all();
  for (const auto& one : all.launchers) {
    const auto& [counter, launcher, size, ours] = all.calls[one.ours];
    all.out.print(fmt::format("\n  {} {}: {}", launcher.name, size.name(), modelled_time_text(ours, all.gpu)));
    if (const auto gain = largest_gain(ours, all.gpu)) all.out.print(step_in + text_of(*gain));
    if (!one.before || !ours.known()) continue;
    const auto& theirs = all.calls[*one.before].result;
    if (theirs.known()) all.out.print(step_in + modelled_comparison(ours, theirs, one.name_before));
  }
  if (const auto text = all.registers_text(); !text.empty()) all.out.print("\n  Registers of a thread: " + text);
}

nlohmann::json modelled_times::document() const {
  const auto& all = *state_;
  auto rows = nlohmann::json::array();
  for (const auto& one : all.launchers) {
    const auto& [counter, launcher, size, ours] = all.calls[one.ours];
    auto& row = rows.emplace_back(nlohmann::json{{"lab", all.job.lab->name},
                                                 {"variant", all.job.variant.word},
                                                 {"launcher", launcher.name},
                                                 {"size", size.name()}});
    if (!ours.known()) {
      row["problem"] = ours.problem;
      continue;
    }
    const auto cost = cost_at(launcher, size);
    row.update(time_of(ours));
    row.update({{"limit", words(ours.time.largest)},
                {"balanced", ours.time.balanced},
                {"gbytes_per_s", cost.bytes / ours.time.us / 1e3},
                {"gflops", cost.operations / ours.time.us / 1e3},
                {"step_before", one.name_before}});
    if (one.before && all.calls[*one.before].result.known()) row["before"] = time_of(all.calls[*one.before].result);
    if (const auto gain = largest_gain(ours, all.gpu)) row["gain"] = {{"change", gain->change}, {"ratio", gain->ratio}};
  }
  return {{"gpu", all.gpu.name}, {"validated", all.gpu.validated}, {"results", std::move(rows)}};
}

}  // namespace lab::cli
