#include <fmt/format.h>

#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

std::string ratio(double over, double under) {
  return over > 0 && under > 0 ? fmt::format("{:.3g}x", over / under) : "-";
}

std::vector<std::string> cells(const judge::bench_row& r) {
  const double own = r.cold.median;
  return {fmt::format("{} {}", r.launcher, r.size),
          duration(own),
          duration(r.warm.median),
          duration(r.with_copies.median),
          r.gbytes_per_s > 0 ? fmt::format("{:.4g}", r.gbytes_per_s) : "-",
          r.of_ceiling > 0 ? fmt::format("{:.0f}%", 100 * r.of_ceiling) : "-",
          r.gflops > 0 ? fmt::format("{:.4g}", r.gflops) : "-",
          ratio(r.cpu_one_thread_ms, own),
          ratio(r.cpu_all_threads_ms, own),
          ratio(r.cpu_fast_ms, own)};
}

// Ratios with the least and the 95th percentile of the interleaved pairs; what ours shows against itself is noise.
void show_rivals(const judge::bench_row& row, const terminal& t) {
  if (row.peers.empty() && row.gpu.multiprocessor_mhz == 0) return;
  t.print(fmt::format("  {} {}", row.launcher, row.size));
  for (const auto& p : row.peers)
    t.print(fmt::format("    {:<28} {:>9}  {:.3g} times ours ({:.3g} to {:.3g})", p.name, duration(p.ms),
                        p.ratio.median, p.ratio.min, p.ratio.p95));
  if (const auto& self = row.against_itself; self.count > 0)
    t.print(fmt::format("    {:<28} {:>9}  {:.3g} times ours ({:.3g} to {:.3g}): the noise", "ours once more",
                        duration(row.cold.median * self.median), self.median, self.min, self.p95));
  const auto& gpu = row.gpu;
  if (gpu.multiprocessor_mhz == 0) return;
  t.print(fmt::format("    the GPU ran at {:.0f} MHz, its memory at {:.0f} MHz, with {:.0f} W", gpu.multiprocessor_mhz,
                      gpu.memory_mhz, gpu.watts));
  if (!row.head_start) t.print("    the times hold what the host needs to launch its work");
}

void show_kernel_only(const judge::bench_row& row, const terminal& t) {
  if (row.operations.empty()) return;
  const auto& alone = row.kernel_only;
  if (alone.count > 0)
    t.print(fmt::format("  {} {}, the device's work alone: {} ({} to {}); {}", row.launcher, row.size,
                        duration(alone.median), duration(alone.min), duration(alone.p95), row.operations));
  else
    t.print(fmt::format("  {} {} is {}", row.launcher, row.size, row.operations));
}

void show(const judge::bench_result& r, const terminal& t) {
  std::vector<std::vector<std::string>> rows{
      {"", "cold", "warm", "with copies", "GB/s", "of ceiling", "GFLOP/s", "1 CPU thread", "all threads", "fast CPU"}};
  for (const auto& row : r.rows) {
    if (row.verdict == verdict_kind::pass)
      rows.push_back(cells(row));
    else
      t.print(fmt::format("  {} {}: {}\n{}", row.launcher, row.size, word(row.verdict), row.message));
  }
  if (rows.size() > 1) t.print(table(rows));
  for (const auto& row : r.rows) show_rivals(row, t);
  for (const auto& row : r.rows) show_kernel_only(row, t);
}

void introduce(const judge::bench_options& o, const terminal& t) {
  if (o.backend == backend_kind::sim)
    t.print(
        "On the simulator: wall time of this CPU running the kernel, not of any GPU. Columns 1 CPU thread, all "
        "threads\n"
        "and fast CPU say how many times longer the CPU's own program takes.");
}

}  // namespace

nlohmann::json bench_all(const std::vector<job>& jobs, const judge::bench_options& given, const terminal& t,
                         int& code) {
  introduce(given, t);
  nlohmann::json all;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto o = given;
    o.progress = [&](const std::string& what) {
      t.progress(fmt::format("[{}/{}] {}: {}", i + 1, jobs.size(), jobs[i].lab->name, what));
    };
    const auto r = judge::bench(*jobs[i].lab, jobs[i].variant, o);
    t.print(fmt::format("\n{} {}", t.bold(jobs[i].lab->name), jobs[i].variant.word));
    show(r, t);
    auto document = to_json(r);
    keep_result("bench", jobs[i].lab->name, jobs[i].variant.word, std::string{word(given.backend)}, document);
    if (all.is_null())
      all = document;
    else
      for (auto& row : document["results"]) all["results"].push_back(row);
    for (const auto& row : r.rows)
      if (row.verdict != verdict_kind::pass && row.verdict != verdict_kind::skipped) code = failed;
  }
  return all;
}

static void add_bench(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("bench", "Time a kernel that is right, beside the CPU and beside its rivals");
  auto f = std::make_shared<flags>();
  add_flags(*command, *f);
  command->add_flag("--peers", f->peers, "also time the kernels in solutions/NN_name/peers, interleaved with yours");
  command->add_flag("--no-cpu", f->no_cpu, "leave out the CPU's programs, which take long at large sizes");
  command->add_flag(
      "--kernel-only", f->kernel_only,
      "on a GPU, also time the device's work alone: what your launcher asks for is written down, and done "
      "again by a process without your host code");
  command->footer("Example: ./lab bench 04 --solution --size 2000x5000");
  command->callback([f, &code] {
    const auto jobs = chosen_jobs(*f);
    judge::bench_options o;
    fill(o, *f);
    o.peers = f->peers;
    o.cpu = !f->no_cpu;
    o.kernel_only = f->kernel_only;
    o.timeout_s = std::max(o.timeout_s, 60.0);
    const auto result = bench_all(jobs, o, terminal{f->json, f->no_color}, code);
    if (f->json) fmt::print("{}\n", result.dump(1));
  });
}

namespace {

const command_registration registered{audience::learn, add_bench};

}  // namespace

}  // namespace lab::cli
