#include <fmt/format.h>

#include <algorithm>

#include "cli/output/profile_table.hpp"
#include "cli/output/terminal.hpp"
#include "trace/line_comparison.hpp"

namespace lab::cli {

namespace {

using judge::line_traffic;

std::uint64_t requests(const line_traffic& traffic) { return traffic.requests; }

std::string cell(const line_traffic* traffic, std::uint64_t (*value)(const line_traffic&)) {
  return traffic ? std::to_string(value(*traffic)) : "-";
}

std::string kernel_comparison(const kernel_profile& simulated, const kernel_profile& measured) {
  std::vector<std::vector<std::string>> rows{
      {"line", "access", "requests: sim", "ncu", "sectors or wavefronts: sim", "ncu", ""}};
  std::string notes;
  for (const auto& c : judge::compare_lines(simulated.lines, measured.lines)) {
    const auto place = fmt::format("{}:{}", c.place.file, c.place.line), what = c.place.op + " " + c.place.space;
    rows.push_back({place, what, cell(c.simulated, requests), cell(c.measured, requests),
                    cell(c.simulated, judge::moved), cell(c.measured, judge::moved), c.why.empty() ? "" : "differs"});
    if (!c.why.empty()) notes += fmt::format("  {} {}: {}\n", place, what, c.why);
  }
  return table(rows) + "\n" + (notes.empty() ? "  all lines agree\n" : notes);
}

}  // namespace

std::string comparison_text(const judge::profile& simulated, const judge::profile& measured) {
  const auto ours = by_kernel(simulated.report), theirs = by_kernel(measured.report);
  std::string text;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    text += fmt::format("{} at {}: {}\n\n{}\n", simulated.launcher, simulated.size, ours[i].launches.front()->kernel,
                        kernel_comparison(ours[i], theirs[i]));
  if (ours.size() != theirs.size())
    text += fmt::format(
        "The simulator ran {} kernels and the GPU {}, because the launcher queries the device's properties.\n",
        ours.size(), theirs.size());
  return text;
}

}  // namespace lab::cli
