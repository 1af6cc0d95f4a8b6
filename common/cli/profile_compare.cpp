#include <fmt/format.h>

#include <algorithm>

#include "cli/profile_table.hpp"
#include "cli/terminal.hpp"

namespace lab::cli {

namespace {

using judge::access;

std::uint64_t moved(const access& a) { return a.space == "global" ? a.sectors : a.wavefronts; }

// Why a compiler or the hardware counts otherwise than the source reads.
std::string explanation(const access* simulated, const access* measured) {
  if (!measured) return "the compiler kept the value in a register, or made one access of this line and another";
  if (!simulated) return "the compiler split an access, or took a neighbouring line's here";
  const bool same = moved(*simulated) == moved(*measured);
  if (simulated->requests == measured->requests)
    return same ? "" : "other addresses: does the kernel depend on the device or on the schedule?";
  if (measured->requests > simulated->requests)
    return same ? "executed with no lane active: counted by the hardware, though nothing moves"
                : "the compiler loads again what the source loads once";
  return same ? "merged: the compiler made one wide access of several"
              : "merged or kept in registers: fewer, wider accesses than the source has";
}

std::string cell(const access* a, std::uint64_t (*value)(const access&)) { return a ? std::to_string(value(*a)) : "-"; }

// Rows of the table, and below it a sentence for every difference.
struct comparison {
  std::vector<std::vector<std::string>> rows{
      {"line", "access", "requests sim", "ncu", "sectors/wavefronts sim", "ncu", ""}};
  std::string notes{};

  void add(const access& where, const access* simulated, const access* measured) {
    const auto requests = [](const access& a) { return a.requests; };
    const auto place = fmt::format("{}:{}", where.file, where.line), what = where.op + " " + where.space;
    const auto why = explanation(simulated, measured);
    rows.push_back({place, what, cell(simulated, requests), cell(measured, requests), cell(simulated, moved),
                    cell(measured, moved), why.empty() ? "" : "differs"});
    if (!why.empty()) notes += fmt::format("  {} {}: {}\n", place, what, why);
  }
};

const access* find_like(const std::vector<access>& lines, const access& a) {
  const auto at = std::ranges::find_if(
      lines, [&](const access& b) { return b.file == a.file && b.line == a.line && b.is(a.op, a.space); });
  return at == lines.end() ? nullptr : &*at;
}

std::string kernel_comparison(const kernel_profile& simulated, const kernel_profile& measured) {
  comparison c;
  for (const auto& a : simulated.lines) c.add(a, &a, find_like(measured.lines, a));
  for (const auto& a : measured.lines)
    if (!find_like(simulated.lines, a)) c.add(a, nullptr, &a);
  return table(c.rows) + "\n" + (c.notes.empty() ? "  all lines agree\n" : c.notes);
}

}  // namespace

std::string comparison_text(const judge::profile& simulated, const judge::profile& measured) {
  const auto ours = by_kernel(simulated.report), theirs = by_kernel(measured.report);
  std::string text;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    text += fmt::format("{} at {}: {}\n\n{}\n", simulated.launcher, simulated.size, ours[i].launches.front()->kernel,
                        kernel_comparison(ours[i], theirs[i]));
  if (ours.size() != theirs.size())
    text += fmt::format("The simulator saw {} kernels and the GPU {}: the launcher asks for the device's properties.\n",
                        ours.size(), theirs.size());
  return text;
}

}  // namespace lab::cli
