#include "cli/output/profile_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/output/annotated_source.hpp"
#include "text/counted.hpp"
#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

using judge::launch;
using judge::line_traffic;

constexpr std::string_view heading = "  access        requests  sectors/request  wavefronts  conflicts";
constexpr std::size_t least_source = 50;  // columns beside the table

double per(std::uint64_t count, std::uint64_t requests) {
  return requests == 0 ? 0 : static_cast<double>(count) / static_cast<double>(requests);
}

std::string row(const line_traffic& traffic, bool costliest) {
  const auto what = fmt::format("{} {}", traffic.op, traffic.space);
  const auto text =
      traffic.space == "global"
          ? fmt::format("{:<13} {:>8}  {:>15.1f}", what, traffic.requests, per(traffic.sectors, traffic.requests))
          : fmt::format("{:<13} {:>8}  {:>15}  {:>10}  {:>9}", what, traffic.requests, "", traffic.wavefronts,
                        traffic.bank_conflicts);
  return fmt::format("{} {:<{}}", costliest ? ">" : " ", text, heading.size() - 2);
}

// The same for a terminal on which no source fits beside the table.
std::string narrow_row(const line_traffic& traffic, bool costliest) {
  return fmt::format("{} {}", costliest ? ">" : " ", traffic_text(traffic));
}

// In bytes: a sector has 32, a wavefront of shared memory up to 128.
std::uint64_t cost(const line_traffic& traffic) {
  return traffic.space == "global" ? traffic.sectors * 32 : traffic.wavefronts * 128;
}

std::string advice_on(const line_traffic& traffic) {
  if (traffic.space == "global" && traffic.sectors > traffic.sectors_ideal)
    return fmt::format("{:.1f} sectors per request, but {:.1f} are enough", per(traffic.sectors, traffic.requests),
                       per(traffic.sectors_ideal, traffic.requests));
  if (traffic.space == "shared" && traffic.wavefronts > traffic.wavefronts_ideal)
    return fmt::format("{:.1f} wavefronts per request, but {:.1f} are enough",
                       per(traffic.wavefronts, traffic.requests), per(traffic.wavefronts_ideal, traffic.requests));
  return "each request has the minimum cost; only fewer requests reduce the traffic";
}

// How much of the simulated device the launch can use.
std::string use_of_device(const launch& one) {
  if (one.device.empty()) return "";
  const auto others = one.concurrent > 1 ? fmt::format("; {} kernels may run at the same time", one.concurrent) : "";
  return fmt::format("  {:.3g} waves of blocks on {}; occupancy at most {:.0f} %{}\n", one.waves, one.device,
                     one.occupancy * 100, others);
}

std::string total(const launch& one) {
  line_traffic loads, stores, shared;
  for (const auto& traffic : one.lines) {
    auto& to = traffic.space == "shared" ? shared : traffic.op == "load" ? loads : stores;
    to.sectors += traffic.sectors;
    to.wavefronts += traffic.wavefronts;
    to.bank_conflicts += traffic.bank_conflicts;
  }
  const auto by_engine =
      one.box_bytes > 0 ? fmt::format("  {} bytes read by the copy engine (TMA)\n", one.box_bytes) : std::string{};
  return fmt::format("  <<<({}), ({})>>>: {} sectors loaded, {} stored; shared: {} wavefronts, {} bank conflicts\n{}{}",
                     fmt::join(one.grid, ", "), fmt::join(one.block, ", "), loads.sectors, stores.sectors,
                     shared.wavefronts, shared.bank_conflicts, by_engine, use_of_device(one));
}

std::string kernel_text(const kernel_profile& kernel, const std::filesystem::path& source, std::size_t columns) {
  const bool narrow = columns < heading.size() + least_source;
  const auto worst = std::ranges::max_element(kernel.lines, {}, cost);
  margin beside;
  std::string elsewhere;
  for (const auto& traffic : kernel.lines) {
    const auto text = (narrow ? narrow_row : row)(traffic, &traffic == &*worst);
    if (traffic.file == source.filename() && traffic.line > 0)
      beside[traffic.line].push_back(text);
    else
      elsewhere += fmt::format("{}       {}:{}\n", text, traffic.file, traffic.line);
  }
  auto text = fmt::format("{}{}{}", narrow ? std::string{} : std::string{heading} + "\n",
                          annotated_source(source, beside, narrow ? 0 : heading.size()), elsewhere);
  if (worst != kernel.lines.end())
    text += fmt::format("\n> most expensive: {}:{}, {} {}: {}\n", worst->file, worst->line, worst->op, worst->space,
                        advice_on(*worst));
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, kernel.launches.size()); ++i) text += total(*kernel.launches[i]);
  if (kernel.launches.size() > most) text += fmt::format("  ... and {} more launches\n", kernel.launches.size() - most);
  return text;
}

}  // namespace

std::string traffic_text(const line_traffic& traffic) {
  const auto costs = traffic.space == "global"
                         ? fmt::format("{:.1f} sectors/request", per(traffic.sectors, traffic.requests))
                         : fmt::format("{}, {}", counted(traffic.wavefronts, "wavefront"),
                                       counted(traffic.bank_conflicts, "conflict"));
  return fmt::format("{} {}: {}, {}", traffic.op, traffic.space, counted(traffic.requests, "request"), costs);
}

std::vector<kernel_profile> by_kernel(const judge::trace_report& report) {
  std::vector<kernel_profile> all;
  for (const auto& one : report.launches) {
    auto at =
        std::ranges::find_if(all, [&](const auto& kernel) { return kernel.launches.front()->kernel == one.kernel; });
    if (at == all.end()) at = all.insert(all.end(), kernel_profile{});
    at->launches.push_back(&one);
    for (const auto& traffic : one.lines) add_to(at->lines, traffic);
  }
  return all;
}

std::string profile_text(const judge::profile& profile, const std::filesystem::path& source, std::size_t columns) {
  const auto where = profile.size.empty() ? profile.launcher : fmt::format("{} at {}", profile.launcher, profile.size);
  std::string text;
  for (const auto& kernel : by_kernel(profile.report))
    text += fmt::format("{}: {}\n\n{}\n", where, kernel.launches.front()->kernel, kernel_text(kernel, source, columns));
  if (profile.report.launches.empty()) text += fmt::format("{}: no kernel was launched\n", where);
  for (const auto& hazard : profile.report.hazards)
    if (hazard.severity != "info") text += "Hazard: " + describe(hazard, source) + "\n";
  return text;
}

}  // namespace lab::cli
