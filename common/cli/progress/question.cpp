#include "cli/progress/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

using judge::line_traffic;

bool is_global(const line_traffic& traffic) { return traffic.space == "global"; }

double per_request(std::uint64_t count, const line_traffic& traffic) {
  return traffic.requests == 0 ? 0 : static_cast<double>(count) / static_cast<double>(traffic.requests);
}

// Waste weighs most, because there a guess differs most from the count.
std::uint64_t weight(const line_traffic& traffic) {
  const auto spent = is_global(traffic) ? traffic.sectors : traffic.wavefronts,
             needed = is_global(traffic) ? traffic.sectors_ideal : traffic.wavefronts_ideal;
  return 32 * (spent - std::min(spent, needed)) + spent;
}

std::string in_source(const line_traffic& traffic, const std::filesystem::path& source) {
  return judge::quoted_line(source, traffic.file, traffic.line);
}

std::string enough(double ideal) { return fmt::format("{:.4g} {} enough", ideal, ideal == 1 ? "is" : "are"); }

// A line may load from two arrays in two ways; its requests then differ.
bool differ(const line_traffic& traffic) {
  return is_global(traffic) && traffic.most_sectors_per_request > 1.01 * per_request(traffic.sectors, traffic);
}

std::string look_at_global(double measured, double ideal, bool mixed) {
  if (measured > ideal + 1.01)
    return fmt::format(
        "{}. Look at the factor of threadIdx.x in this index: neighbouring threads access distant elements "
        "(./lab explain uncoalesced).",
        enough(ideal));
  if (measured > ideal * 1.01)
    return enough(ideal) +
           ": a row that does not start at a sector boundary costs more, and so do elements that are not neighbours.";
  if (mixed)
    return "This is the minimum: 32 neighbours of 4 bytes are in 4 sectors, and one element for all lanes is in 1.";
  if (measured < 1.5)
    return "This is the minimum: all lanes access the same element. Could the kernel load it less often?";
  return "This is the minimum: a sector has 32 bytes, and the lanes of a warp access neighbouring elements.";
}

std::string look_at_shared(double measured, double ideal) {
  if (measured > ideal * 1.01)
    return fmt::format(
        "{}. Look at the row length of the array: which of the 32 banks does each lane access "
        "(./lab explain bank_conflicts)?",
        enough(ideal));
  return "This is the minimum: the lanes access different banks or the same word.";
}

question cost_of(const line_traffic& traffic, const judge::profile& profile, const std::filesystem::path& source) {
  const bool global = is_global(traffic);
  const double measured = per_request(global ? traffic.sectors : traffic.wavefronts, traffic);
  const double ideal = per_request(global ? traffic.sectors_ideal : traffic.wavefronts_ideal, traffic);
  const bool mixed = differ(traffic) || measured != std::floor(measured);
  const char* what = global ? "sectors of 32 bytes does one request of a warp touch"
                            : "wavefronts (passes over the 32 banks) does one request of a warp take";
  return {fmt::format("{}\n  {} at {}: how many {} in {}?", in_source(traffic, source), profile.launcher, profile.size,
                      what, mixed ? fmt::format("the {}s of this line, on average", traffic.op) : "this " + traffic.op),
          traffic.op, fmt::format("{}{} per request", global ? "sector" : "wavefront", measured == 1 ? "" : "s"),
          measured, global ? look_at_global(measured, ideal, mixed) : look_at_shared(measured, ideal)};
}

question requests_of(const line_traffic& traffic, const judge::profile& profile, const std::filesystem::path& source) {
  return {fmt::format("{}\n  {} at {}: how many requests (one per warp and instruction) do all {}s of this line make?",
                      in_source(traffic, source), profile.launcher, profile.size, traffic.op),
          traffic.op, "requests", static_cast<double>(traffic.requests),
          fmt::format(
              "A warp has 32 threads, and each of its accesses is one request. How many warps has the grid, how many "
              "{}s has this line, and how often does each warp execute it?",
              traffic.op)};
}

}  // namespace

std::vector<question> questions_about(const judge::profile& profile, const std::filesystem::path& source) {
  std::vector<line_traffic> lines;
  for (const auto& launch : profile.report.launches)
    for (const auto& traffic : launch.lines)
      if (traffic.line > 0 && traffic.requests > 0 && traffic.op != "atomic") judge::add_to(lines, traffic);
  // Of two that cost the same, the load: its result is waited for.
  std::ranges::stable_sort(lines, std::ranges::greater{}, [](const auto& traffic) {
    return std::pair{weight(traffic), traffic.op == "load"};
  });
  const auto global = std::ranges::find_if(lines, is_global), shared = std::ranges::find_if_not(lines, is_global);
  std::vector<question> all;
  if (global != lines.end()) all.push_back(cost_of(*global, profile, source));
  if (shared != lines.end()) all.push_back(cost_of(*shared, profile, source));
  const auto costs_as_much = [&](const line_traffic& traffic) {
    return traffic.sectors * global->requests == global->sectors * traffic.requests;
  };
  const auto second = std::ranges::find_if(
      lines, [&](const line_traffic& traffic) { return is_global(traffic) && !costs_as_much(traffic); });
  if (all.size() == 1 && global != lines.end() && second != lines.end())
    all.push_back(cost_of(*second, profile, source));
  if (all.size() == 1) all.push_back(requests_of(lines.front(), profile, source));
  return all;
}

}  // namespace lab::cli
