#include "cli/commands/bench_verify.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/verify/verify.hpp"
#include "build/kernel_cache.hpp"
#include "cli/output/terminal.hpp"
#include "support/interruptible.hpp"
#include "text/counted.hpp"

namespace lab::cli {

namespace {

std::vector<std::string> clock_cells(const judge::verified_row& row) {
  const auto name = fmt::format("{} {} {} {}", row.lab, row.variant, row.launcher, row.size);
  if (row.clock == judge::second_clock::none) return {name, duration(row.first.median), "", "", "", "too short"};
  return {name,
          duration(row.first.median),
          duration(row.second.median),
          fmt::format("{:.3f}", row.ratio()),
          std::string{word(row.clock)},
          row.varies()    ? "varies"
          : row.differs() ? "differs"
                          : ""};
}

void show_reasons(const judge::verification& result, const terminal& out) {
  for (const auto& row : result.rows) {
    const auto name = fmt::format("{} {} {}", row.lab, row.launcher, row.size);
    if (row.verdict != verdict_kind::pass) {
      out.print(fmt::format("{}: {}: {}", name, word(row.verdict), row.message));
      continue;
    }
    if (const auto text = judge::launch_overhead(row.head_start); !text.empty())
      out.print(fmt::format("{}: the first clock's time {}", name, text));
    if (!row.why_no_ncu.empty()) out.print(fmt::format("{}: no ncu, because {}", name, row.why_no_ncu));
  }
}

void show_clocks(const judge::verification& result, const terminal& out) {
  std::vector<std::vector<std::string>> rows{{"", "first clock", "second clock", "ratio", "second is", ""}};
  for (const auto& row : result.rows)
    if (row.verdict == verdict_kind::pass) rows.push_back(clock_cells(row));
  if (rows.size() > 1) out.print_unbroken(table_within(rows, terminal_width(STDOUT_FILENO)));
  show_reasons(result, out);
  const auto judged = std::ranges::count_if(result.rows, [](const auto& row) { return row.judged() && !row.varies(); });
  const auto differ = std::ranges::count_if(result.rows, &judge::verified_row::differs);
  if (std::ranges::any_of(result.rows, &judge::verified_row::varies))
    out.print(fmt::format("\"varies\": single calls differ by more than {:.0f}%, so no clock can confirm another one.",
                          100 * judge::calls_vary_by));
  out.print(fmt::format("The second clock differs by more than {:.0f}% in {} of {} above {:.0f} us.",
                        100 * judge::clocks_differ_by, differ, counted(static_cast<std::size_t>(judged), "time"),
                        1e3 * judge::least_judged_ms));
}

bool is_bad(const judge::verified_row& row) {
  return row.differs() || (row.verdict != verdict_kind::pass && row.verdict != verdict_kind::skipped);
}

int perform(const std::vector<kernel_job>& jobs, const common_flags& common, const judge::bench_options& given) {
  const terminal out{common.json, common.no_color};
  judge::verification result{.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto options = given;
    options.progress = [&](const std::string& what) {
      out.progress(fmt::format("[{}/{}] {}: {}", i + 1, jobs.size(), jobs[i].lab->name, what));
    };
    judge::verify_times(*jobs[i].lab, jobs[i].variant, options, result);
  }
  out.clear_progress();
  show_clocks(result, out);
  if (common.json) fmt::print("{}\n", to_json(result).dump(1));
  return std::ranges::any_of(result.rows, is_bad) ? failed : passed;
}

}  // namespace

int verify_times(const std::vector<kernel_job>& jobs, const common_flags& common, const judge::bench_options& given) {
  if (given.backend == backend_kind::sim)
    throw machine_error("--verify compares two clocks of a GPU; the simulator has no GPU time (see ./lab doctor)");
  const auto code = run_interruptible(
      [&](const std::filesystem::path&) { return exit_code_of([&] { return perform(jobs, common, given); }); });
  judge::remove_abandoned_builds();
  return code;
}

}  // namespace lab::cli
