#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/bench_sweep.hpp"
#include "cli/commands/bench_verify.hpp"
#include "cli/commands/modelled_times.hpp"
#include "cli/output/count_bars.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

std::string ratio(double over, double under) {
  return over > 0 && under > 0 ? fmt::format("{:.3g}x", over / under) : "-";
}

std::vector<std::string> cells(const judge::bench_row& row) {
  const double own = row.cold.median;
  return {fmt::format("{} {}", row.launcher, row.size),
          duration(own),
          duration(row.warm.median),
          duration(row.with_copies.median),
          row.gbytes_per_s > 0 ? fmt::format("{:.4g}", row.gbytes_per_s) : "-",
          row.of_ceiling > 0 ? fmt::format("{:.0f}%", 100 * row.of_ceiling) : "-",
          row.gflops > 0 ? fmt::format("{:.4g}", row.gflops) : "-",
          ratio(row.cpu_fast_ms, own),
          ratio(row.cpu_all_threads_ms, own),
          ratio(row.cpu_one_thread_ms, own)};
}

std::string spoken(const judge::bench_row& row) {
  return row.variant == "starter" ? "yours" : row.variant == "file" ? "your file" : row.variant;
}

void show_counts(const judge::bench_row& row, const terminal& out) {
  if (row.counted.empty()) return;
  out.print(fmt::format("\n  {} {}", row.launcher, row.size));
  out.print_unbroken(count_bars(row.counted, spoken(row), terminal_width(STDOUT_FILENO)));
  const auto before = std::ranges::find(row.counted, row.step_before, &judge::kernel_counts::name);
  out.print("  " + (row.step_before.empty() ? what_is_wasted(row.counted[0]) : what_changed(*before, row.counted[0])));
}

// Of a rival only where it differs from our kernel.
void show_launch_overhead(const judge::bench_row& row, const terminal& out) {
  if (const auto text = judge::launch_overhead(row.head_start); !text.empty()) out.print("    its time " + text);
  for (const auto& peer : row.peers)
    if (const auto text = judge::launch_overhead(peer.head_start); !text.empty() && peer.head_start != row.head_start)
      out.print(fmt::format("    the time of {} {}", peer.name, text));
}

// Each ratio comes with the minimum and the 95th percentile of its interleaved pairs. The ratio of the kernel to itself
// shows the noise.
void show_rivals(const judge::bench_row& row, const terminal& out) {
  if (row.peers.empty() && row.gpu.multiprocessor_mhz == 0) return;
  out.print(fmt::format("  {} {}", row.launcher, row.size));
  for (const auto& peer : row.peers)
    out.print(fmt::format("    {:<28} {:>9}  {:.3g} times ours ({:.3g} to {:.3g})", peer.name, duration(peer.ms),
                          peer.ratio.median, peer.ratio.min, peer.ratio.p95));
  if (const auto& self = row.against_itself; self.count > 0)
    out.print(fmt::format("    {:<28} {:>9}  {:.3g} times ours ({:.3g} to {:.3g}), which is noise", "ours again",
                          duration(row.cold.median * self.median), self.median, self.min, self.p95));
  const auto& gpu = row.gpu;
  if (gpu.multiprocessor_mhz == 0) return;
  out.print(fmt::format("    the GPU ran at {:.0f} MHz, its memory at {:.0f} MHz, with {:.0f} W",
                        gpu.multiprocessor_mhz, gpu.memory_mhz, gpu.watts));
  show_launch_overhead(row, out);
}

void show_kernel_only(const judge::bench_row& row, const terminal& out) {
  if (row.operations.empty()) return;
  const auto& alone = row.kernel_only;
  if (alone.count > 0)
    out.print(fmt::format("  {} {}, without host code: {} ({} to {}); {}", row.launcher, row.size,
                          duration(alone.median), duration(alone.min), duration(alone.p95), row.operations));
  else
    out.print(fmt::format("  {} {} is {}", row.launcher, row.size, row.operations));
}

void introduce_times(const judge::bench_result& result, const terminal& out) {
  if (result.backend == word(backend_kind::sim))
    out.print("\nWall times of the simulator on this CPU. They say nothing about the speed of a GPU:");
}

void explain_cpu_columns(const judge::bench_result& result, const terminal& out) {
  if (std::ranges::any_of(result.rows, [](const auto& row) { return row.cpu_fast_ms > 0; }))
    out.print(
        "  The last columns say how many times longer a CPU program takes: the fast one (vectorised, in blocks, on all "
        "threads), and the loop of the published tutorials on all threads and on one.");
}

void show(const judge::bench_result& result, const terminal& out) {
  std::vector<std::vector<std::string>> rows{
      {"", "cold", "warm", "with copies", "GB/s", "of ceiling", "GFLOP/s", "fast CPU", "CPU loop", "1 thread"}};
  for (const auto& row : result.rows) {
    show_counts(row, out);
    if (row.cold.count > 0)
      rows.push_back(cells(row));
    else if (row.launcher.empty())
      out.print(fmt::format("  {}: {}", word(row.verdict), row.message));
    else if (row.verdict != verdict_kind::pass)
      out.print(fmt::format("  {} {}: {}\n{}", row.launcher, row.size, word(row.verdict), row.message));
  }
  if (rows.size() > 1) introduce_times(result, out);
  if (rows.size() > 1) out.print_unbroken(table_within(rows, terminal_width(STDOUT_FILENO)));
  explain_cpu_columns(result, out);
  for (const auto& row : result.rows) show_rivals(row, out);
  for (const auto& row : result.rows) show_kernel_only(row, out);
}

void introduce(const judge::bench_options& options, bool modelled, const terminal& out) {
  if (options.backend == backend_kind::sim)
    out.print(fmt::format("Without a GPU, kernels are compared by what they ask of one. The simulator counts it{}.",
                          modelled ? ", and a model estimates times from the counts" : ""));
}

bool passed_all(const judge::bench_result& result) {
  return std::ranges::all_of(result.rows, [](const auto& row) {
    return row.verdict == verdict_kind::pass || row.verdict == verdict_kind::skipped;
  });
}

void add(nlohmann::json& all, const nlohmann::json& document) {
  if (all.is_null()) {
    all = document;
    return;
  }
  const auto append = [](nlohmann::json& to, const nlohmann::json& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(all["results"], document["results"]);
  if (!document.contains("modelled")) return;
  if (all.contains("modelled"))
    append(all["modelled"]["results"], document["modelled"]["results"]);
  else
    all["modelled"] = document["modelled"];
}

}  // namespace

nlohmann::json bench_all(const std::vector<kernel_job>& jobs, const judge::bench_options& given,
                         const judge::gpu_parameters* modelled, const terminal& out, int& code) {
  introduce(given, modelled != nullptr, out);
  nlohmann::json all;
  saver results;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto options = given;
    options.progress = [&](const std::string& what) {
      out.progress(fmt::format("[{}/{}] {}: {}", i + 1, jobs.size(), jobs[i].lab->name, what));
    };
    std::optional<modelled_times> times;
    if (modelled) times.emplace(jobs[i], given, *modelled, out);
    if (times && !given.simulator_time) times->begin();  // it would disturb a timing on this CPU
    const auto result = judge::bench(*jobs[i].lab, jobs[i].variant, options);
    out.print(fmt::format("\n{} {}", out.bold(jobs[i].lab->name), jobs[i].variant.word));
    show(result, out);
    auto document = to_json(result);
    const bool right = passed_all(result);
    if (!right) code = failed;
    if (times && right) {
      times->show();
      document["modelled"] = times->document();
    }
    results.save([&] {
      keep_result("bench", jobs[i].lab->name, jobs[i].variant.word, std::string{word(given.backend)}, document);
    });
    add(all, document);
  }
  results.report(code);
  return all;
}

static void add_bench(command_line app, int& code) {
  auto command = app.add_subcommand(
      "bench", "Compare a correct kernel with the step before: by its time, or without a GPU by its counts");
  auto flags = std::make_shared<common_flags>();
  add_flags(command, *flags);
  command.add_flag("--peers", flags->peers, "also compare with the kernels in solutions/NN_name/peers");
  command.add_flag("--simulator-time", flags->simulator_time,
                   "on the simulator, also show its wall time, which says nothing about a GPU");
  add_gpu_flag(command, *flags);
  command.add_flag("--no-cpu", flags->no_cpu, "do not time the CPU programs, which are slow at large sizes");
  command.add_flag("--kernel-only", flags->kernel_only,
                   "on a GPU, also time the device's work alone: what your launcher asks for is written down, and done "
                   "again by a process without your host code");
  auto sweep = std::make_shared<size_sweep_flags>();
  add_size_sweep_flags(command, *sweep);
  auto verify = std::make_shared<bool>(false);
  const auto verified = command.add_flag(
      "--verify", *verify,
      "on a GPU: time the kernel also by a second, independent clock, and fail where it differs by more than 3%");
  for (const auto* other : {"--sweep", "--peers", "--kernel-only", "--simulator-time", "--gpu"})
    command.get_option(other).excludes(verified);
  command.footer(
      "Example: ./lab bench 04 --solution --size 2000x5000\n         ./lab bench 04 --encore --sweep\n         ./lab "
      "bench 04 --solution --verify");
  command.callback([flags, sweep, verify, &code] {
    if (sweep->wanted) {
      code = sweep_sizes(*flags, *sweep);
      return;
    }
    const auto jobs = chosen_jobs(*flags);
    judge::bench_options options;
    fill(options, *flags);
    options.peers = flags->peers;
    options.cpu = !flags->no_cpu;
    options.kernel_only = flags->kernel_only;
    options.simulator_time = flags->simulator_time;
    if (options.simulator_time && options.backend == backend_kind::cuda)
      throw usage_error("--simulator-time needs the simulator; add --backend sim");
    const auto* const modelled = gpu_to_model(*flags, options.backend);
    options.timeout_s = std::max(options.timeout_s, 60.0);
    if (*verify) {
      code = verify_times(jobs, *flags, options);
      return;
    }
    const terminal out{flags->json, flags->no_color};
    const auto result = bench_all(jobs, options, modelled, out, code);
    if (flags->json) fmt::print("{}\n", result.dump(1));
  });
}

namespace {

const command_registration registered_bench{audience::learn, add_bench};

}  // namespace

}  // namespace lab::cli
