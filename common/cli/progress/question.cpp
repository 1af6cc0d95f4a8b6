#include "cli/progress/question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

using judge::line_traffic;

bool is_global(const line_traffic& a) { return a.space == "global"; }

double per_request(std::uint64_t n, const line_traffic& a) {
  return a.requests == 0 ? 0 : static_cast<double>(n) / static_cast<double>(a.requests);
}

// What more than is needed weighs first: that is where guess and count part.
std::uint64_t weight(const line_traffic& a) {
  const auto spent = is_global(a) ? a.sectors : a.wavefronts,
             needed = is_global(a) ? a.sectors_ideal : a.wavefronts_ideal;
  return 32 * (spent - std::min(spent, needed)) + spent;
}

std::string in_source(const line_traffic& a, const std::filesystem::path& source) {
  return judge::quoted_line(source, a.file, a.line);
}

std::string look_at_global(double measured, double ideal) {
  if (measured > ideal + 1.01)
    return fmt::format(
        "{:.4g} would do. Look at what threadIdx.x is multiplied by in this index: neighbouring threads take distant "
        "elements (./lab explain uncoalesced).",
        ideal);
  if (measured > ideal * 1.01)
    return fmt::format("{:.4g} would do: a row that does not begin on a whole sector costs one more.", ideal);
  if (measured < 1.5)
    return "As few as can be: all lanes want the same element. Look at whether it has to be loaded that often.";
  return "As few as can be: a sector has 32 bytes, and the lanes of a warp take neighbouring elements.";
}

std::string look_at_shared(double measured, double ideal) {
  if (measured > ideal * 1.01)
    return fmt::format(
        "{:.4g} would do. Look at the row length of the array: which of 32 banks does each lane hit (./lab explain "
        "bank_conflicts)?",
        ideal);
  return "As few as can be: the lanes hit different banks, or the same word.";
}

question cost_of(const line_traffic& a, const std::filesystem::path& source) {
  const bool global = is_global(a);
  const double measured = per_request(global ? a.sectors : a.wavefronts, a);
  const double ideal = per_request(global ? a.sectors_ideal : a.wavefronts_ideal, a);
  const char* what = global ? "sectors of 32 bytes does one request of a warp touch"
                            : "wavefronts, turns of the 32 banks, does one request of a warp take";
  return {fmt::format("{}\n  How many {} in this {}?", in_source(a, source), what, a.op), a.op,
          global ? "sectors per request" : "wavefronts per request", measured,
          global ? look_at_global(measured, ideal) : look_at_shared(measured, ideal)};
}

question requests_of(const line_traffic& a, const judge::profile& p, const std::filesystem::path& source) {
  return {
      fmt::format("{}\n  How many requests, instructions of a whole warp, does this {} make at {}?",
                  in_source(a, source), a.op, p.size),
      a.op, "requests", static_cast<double>(a.requests),
      "A warp is 32 threads, and each of its accesses is one request: look at how many threads the grid has, and how "
      "often each comes here."};
}

}  // namespace

std::vector<question> questions_about(const judge::profile& p, const std::filesystem::path& source) {
  std::vector<line_traffic> lines;
  for (const auto& l : p.report.launches)
    for (const auto& a : l.lines)
      if (a.line > 0 && a.requests > 0 && a.op != "atomic") judge::add_to(lines, a);
  std::ranges::stable_sort(lines, std::ranges::greater{}, weight);
  const auto global = std::ranges::find_if(lines, is_global), shared = std::ranges::find_if_not(lines, is_global);
  std::vector<question> all;
  if (global != lines.end()) all.push_back(cost_of(*global, source));
  if (shared != lines.end()) all.push_back(cost_of(*shared, source));
  const auto costs_as_much = [&](const line_traffic& a) {
    return a.sectors * global->requests == global->sectors * a.requests;
  };
  const auto second =
      std::ranges::find_if(lines, [&](const line_traffic& a) { return is_global(a) && !costs_as_much(a); });
  if (all.size() == 1 && global != lines.end() && second != lines.end()) all.push_back(cost_of(*second, source));
  if (all.size() == 1) all.push_back(requests_of(lines.front(), p, source));
  return all;
}

}  // namespace lab::cli
