#include "cli/commands/bench_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/size_sweep.hpp"
#include "build/availability.hpp"
#include "build/kernel_cache.hpp"
#include "cli/output/terminal.hpp"
#include "cli/progress/progress.hpp"
#include "support/interruptible.hpp"
#include "text/counted.hpp"

namespace lab::cli {

namespace {

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} kB", bytes / 1e3);
}

std::string size_line(const judge::size_row& row) {
  const auto start = fmt::format("{:<22} {:<10} {:>8}", row.at.size.name(), judge::placement_word(row.at.placement),
                                 bytes_text(row.cost.bytes));
  if (row.verdict != verdict_kind::pass) return fmt::format("{}  {}", start, word(row.verdict));
  const auto* best = row.best();
  if (!best) return fmt::format("{} {:>9}  no rival is right", start, duration(row.ours.median));
  return fmt::format("{} {:>9}  {:>5.2f}x {} ({}){}", start, duration(row.ours.median), best->ratio.median, best->name,
                     duration(best->ms), judge::loses(row) ? "  loses" : "");
}

void show_head_starts(const judge::size_sweep_result& result, const terminal& out) {
  using protocol::head_start;
  const auto sizes_with = [&](head_start how) {
    return std::ranges::count_if(result.rows,
                                 [&](const auto& row) { return row.ours.count > 0 && row.head_start == how; });
  };
  for (const auto how : {head_start::none, head_start::timed_out})
    if (const auto sizes = sizes_with(how); sizes > 0)
      out.print(fmt::format("At {}, the time {}", counted(static_cast<std::size_t>(sizes), "size"),
                            judge::launch_overhead(how)));
}

void show_summary(const judge::size_sweep_result& result, const terminal& out) {
  const auto all = judge::summary_of(result);
  for (const auto* row : all.failures) out.print(fmt::format("{}: {}", row->at.size.name(), row->message));
  if (!all.worst) return;
  out.print(fmt::format(
      "{} {} {}: geometric mean {:.3f}, worst {:.3f} at {} against {}, loses at {} of {}, fails at {}.", result.lab,
      result.variant, result.launcher, all.geometric_mean, all.worst->best()->ratio.median, all.worst->at.size.name(),
      all.worst->best()->name, all.losses.size(), counted(result.rows.size(), "size"), all.failures.size()));
  show_head_starts(result, out);
}

int perform_size_sweep(const kernel_job& job, const common_flags& common, judge::size_sweep_options options) {
  const terminal out{common.json, common.no_color};
  out.print(
      fmt::format("{} {}, {}", out.bold(job.lab->name), job.variant.word, judge::launcher_to_sweep(*job.lab).name));
  out.print("Each line: the size, the arrays, their bytes, your time, and the time of the best rival over yours.");
  options.progress = [&](const std::string& what) { out.progress(fmt::format("{}: {}", job.lab->name, what)); };
  options.measured = [&](const judge::size_row& row) { out.print_row(size_line(row)); };
  const auto result = judge::sweep_sizes(*job.lab, job.variant, options);
  out.clear_progress();
  show_summary(result, out);
  const auto document = to_json(result);
  if (common.json) fmt::print("{}\n", document.dump(1));
  int code = judge::summary_of(result).failures.empty() ? passed : failed;
  saver results;
  results.save([&] {
    keep_result("bench_sweep", job.lab->name, job.variant.word, std::string{word(options.backend)}, document);
  });
  results.report(code);
  return code;
}

}  // namespace

void add_size_sweep_flags(command_line command, size_sweep_flags& flags) {
  auto wanted = command.add_flag("--sweep", flags.wanted,
                                 "on a GPU: draw many sizes and compare the kernel at each with the solution and all "
                                 "peers (lab sweep instead changes constants of the kernel)");
  command.add_option("--sizes", flags.sizes, "number of sizes that --sweep draws; --seed chooses them")
      .type_name("N")
      .between(1, 10'000)
      .capture_default_str()
      .needs(wanted);
  command.add_option("--most-memory", flags.most_memory, "the most that the arrays of --sweep take together, in GB")
      .type_name("GB")
      .positive()
      .capture_default_str()
      .needs(wanted);
}

int sweep_sizes(const common_flags& common, const size_sweep_flags& flags) {
  if (common.which == "all") throw usage_error("--sweep works on one lab; name one lab instead of all");
  if (!common.sizes.empty()) throw usage_error("--sweep draws its sizes; leave --size out");
  const auto job = chosen_jobs(common).front();
  judge::size_sweep_options options;
  fill(options, common);
  if (options.backend == backend_kind::sim)
    throw machine_error("--sweep compares times, so it needs a GPU; the simulator has none (see ./lab doctor)");
  if (const auto why_not = judge::why_not_here(*job.lab, options); !why_not.empty()) throw machine_error(why_not);
  judge::launcher_to_sweep(*job.lab);
  options.sizes_to_draw = flags.sizes;
  options.most_bytes = 1e9 * flags.most_memory;
  options.timeout_s = std::max(options.timeout_s, 60.0);
  const auto code = run_interruptible([&](const std::filesystem::path&) {
    return exit_code_of([&] { return perform_size_sweep(job, common, options); });
  });
  judge::remove_abandoned_builds();
  return code;
}

}  // namespace lab::cli
