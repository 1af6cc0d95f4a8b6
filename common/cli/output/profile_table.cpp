#include "cli/output/profile_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/output/annotated_source.hpp"
#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

using judge::launch;
using judge::line_traffic;

constexpr std::string_view heading = "  access        requests  sectors/request  wavefronts  conflicts";

double per(std::uint64_t n, std::uint64_t requests) {
  return requests == 0 ? 0 : static_cast<double>(n) / static_cast<double>(requests);
}

std::string row(const line_traffic& a, bool costliest) {
  const auto what = fmt::format("{} {}", a.op, a.space);
  const auto text =
      a.space == "global"
          ? fmt::format("{:<13} {:>8}  {:>15.1f}", what, a.requests, per(a.sectors, a.requests))
          : fmt::format("{:<13} {:>8}  {:>15}  {:>10}  {:>9}", what, a.requests, "", a.wavefronts, a.bank_conflicts);
  return fmt::format("{} {:<{}}", costliest ? ">" : " ", text, heading.size() - 2);
}

// In bytes that pass: a sector has 32, a wavefront of shared memory up to 128.
std::uint64_t cost(const line_traffic& a) { return a.space == "global" ? a.sectors * 32 : a.wavefronts * 128; }

std::string verdict_on(const line_traffic& a) {
  if (a.space == "global" && a.sectors > a.sectors_ideal)
    return fmt::format("{:.1f} sectors per request, and {:.1f} would do", per(a.sectors, a.requests),
                       per(a.sectors_ideal, a.requests));
  if (a.space == "shared" && a.wavefronts > a.wavefronts_ideal)
    return fmt::format("{:.1f} wavefronts per request, and {:.1f} would do", per(a.wavefronts, a.requests),
                       per(a.wavefronts_ideal, a.requests));
  return "each request costs as little as it can; only fewer requests would help";
}

std::string total(const launch& l) {
  line_traffic loads, stores, shared;
  for (const auto& a : l.lines) {
    auto& to = a.space == "shared" ? shared : a.op == "load" ? loads : stores;
    to.sectors += a.sectors;
    to.wavefronts += a.wavefronts;
    to.bank_conflicts += a.bank_conflicts;
  }
  return fmt::format("  <<<({}), ({})>>>: {} sectors loaded, {} stored; shared: {} wavefronts, {} bank conflicts\n",
                     fmt::join(l.grid, ", "), fmt::join(l.block, ", "), loads.sectors, stores.sectors,
                     shared.wavefronts, shared.bank_conflicts);
}

std::string kernel_text(const kernel_profile& k, const std::filesystem::path& source) {
  const auto worst = std::ranges::max_element(k.lines, {}, cost);
  margin beside;
  std::string elsewhere;
  for (const auto& a : k.lines) {
    const auto text = row(a, &a == &*worst);
    if (a.file == source.filename() && a.line > 0)
      beside[a.line].push_back(text);
    else
      elsewhere += fmt::format("{}       {}:{}\n", text, a.file, a.line);
  }
  auto text = fmt::format("{}\n{}{}", heading, annotated_source(source, beside, heading.size()), elsewhere);
  if (worst != k.lines.end())
    text += fmt::format("\n> costs most: {}:{}, {} {}: {}\n", worst->file, worst->line, worst->op, worst->space,
                        verdict_on(*worst));
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, k.launches.size()); ++i) text += total(*k.launches[i]);
  if (k.launches.size() > most) text += fmt::format("  ... and {} more launches\n", k.launches.size() - most);
  return text;
}

}  // namespace

std::vector<kernel_profile> by_kernel(const judge::trace_report& r) {
  std::vector<kernel_profile> all;
  for (const auto& l : r.launches) {
    auto at = std::ranges::find_if(all, [&](const auto& k) { return k.launches.front()->kernel == l.kernel; });
    if (at == all.end()) at = all.insert(all.end(), kernel_profile{});
    at->launches.push_back(&l);
    for (const auto& a : l.lines) add_to(at->lines, a);
  }
  return all;
}

std::string profile_text(const judge::profile& p, const std::filesystem::path& source) {
  const auto where = p.size.empty() ? p.launcher : fmt::format("{} at {}", p.launcher, p.size);
  std::string text;
  for (const auto& k : by_kernel(p.report))
    text += fmt::format("{}: {}\n\n{}\n", where, k.launches.front()->kernel, kernel_text(k, source));
  if (p.report.launches.empty()) text += fmt::format("{}: no kernel was launched\n", where);
  for (const auto& h : p.report.hazards)
    if (h.severity != "info") text += "Hazard: " + describe(h, source) + "\n";
  return text;
}

}  // namespace lab::cli
