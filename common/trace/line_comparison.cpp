#include "trace/line_comparison.hpp"

#include <algorithm>

namespace lab::judge {

namespace {

// Why a compiler or the hardware counts otherwise than the source reads.
std::string difference_of(const line_traffic* simulated, const line_traffic* measured) {
  if (!measured && simulated->op == "atomic") return "counted at the line of CUDA's header that was inlined here";
  if (!measured) return "the compiler kept the value in a register, or made one access of this line and another";
  if (!simulated) return "the compiler took another line's access here, or inlined this one into a line of yours";
  const bool same = moved(*simulated) == moved(*measured);
  if (simulated->requests == measured->requests)
    return same ? "" : "other addresses: does the kernel depend on the device or on the schedule?";
  if (measured->requests > simulated->requests)
    return same ? "executed with no lane active: counted by the hardware, though nothing moves"
                : "the compiler loads again what the source loads once";
  return same ? "merged: the compiler made one wide access of several"
              : "merged or kept in registers: fewer accesses than the source has";
}

const line_traffic* find_like(const std::vector<line_traffic>& lines, const line_traffic& access) {
  const auto at = std::ranges::find_if(lines, [&](const line_traffic& b) {
    return b.file == access.file && b.line == access.line && b.is(access.op, access.space);
  });
  return at == lines.end() ? nullptr : &*at;
}

bool has_file(const std::vector<line_traffic>& lines, const std::string& file) {
  return std::ranges::find(lines, file, &line_traffic::file) != lines.end();
}

}  // namespace

void return_from_headers(const std::vector<line_traffic>& simulated, std::vector<line_traffic>& measured) {
  std::vector<line_traffic> placed;
  for (auto a : measured) {
    std::vector<const line_traffic*> callers;
    for (const auto& s : simulated)
      if (s.is(a.op, a.space) && !find_like(measured, s)) callers.push_back(&s);
    if (!has_file(simulated, a.file) && callers.size() == 1) a.file = callers[0]->file, a.line = callers[0]->line;
    add_to(placed, a);
  }
  measured = std::move(placed);
}

std::uint64_t moved(const line_traffic& access) {
  return access.space == "global" ? access.sectors : access.wavefronts;
}

std::vector<line_comparison> compare_lines(const std::vector<line_traffic>& simulated,
                                           const std::vector<line_traffic>& measured) {
  std::vector<line_comparison> all;
  for (const auto& a : simulated) {
    const auto* other = find_like(measured, a);
    all.push_back({a, &a, other, difference_of(&a, other)});
  }
  for (const auto& a : measured)
    if (!find_like(simulated, a)) all.push_back({a, nullptr, &a, difference_of(nullptr, &a)});
  return all;
}

}  // namespace lab::judge
