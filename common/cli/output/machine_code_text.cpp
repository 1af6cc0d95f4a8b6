#include "cli/output/machine_code_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/annotated_source.hpp"
#include "text/counted.hpp"
#include "text/wrap.hpp"

namespace lab::cli {

namespace {

using judge::instruction;
using judge::kernel_code;

constexpr char unbroken_blank = '\x01';   // a blank in the listing, at which no line breaks
constexpr std::size_t source_margin = 4;  // annotated_source() indents what stands below a line

// "LDG.E" of "@!P0 LDG.E R7, desc[UR6][R6.64]".
std::string operation_of(const std::string& text) {
  const auto begin = text.starts_with('@') ? text.find(' ') + 1 : 0;
  return text.substr(begin, text.find(' ', begin) - begin);
}

// "4 LDG.E, 4 STS, 1 BRA", the most frequent first.
std::string kinds_of(const std::vector<const instruction*>& all) {
  std::vector<std::pair<std::size_t, std::string>> kinds;
  for (const auto* one : all) {
    const auto kind = operation_of(one->text);
    const auto at = std::ranges::find(kinds, kind, &std::pair<std::size_t, std::string>::second);
    if (at == kinds.end())
      kinds.emplace_back(1, kind);
    else
      ++at->first;
  }
  std::ranges::stable_sort(kinds, std::greater{}, &std::pair<std::size_t, std::string>::first);
  std::string text;
  for (const auto& [count, kind] : kinds)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", count, unbroken_blank, kind);
  return text;
}

std::vector<std::string> broken(const std::string& text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  auto all = wrapped_row(text, width, indent);
  std::ranges::replace(all, unbroken_blank, ' ');
  for (std::size_t begin = 0; begin < all.size();) {
    const auto end = std::min(all.find('\n', begin), all.size());
    lines.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// What stands below one line, or in a group without a line.
std::vector<std::string> listing_of(const std::vector<const instruction*>& all, const listing_options& options,
                                    std::size_t width) {
  if (options.brief)
    return broken(fmt::format("  {}: {}", counted(all.size(), "instruction"), kinds_of(all)), width, 4);
  std::vector<std::string> lines;
  for (const auto* one : all) {
    if (!one->label.empty()) lines.push_back(fmt::format("  {}:", one->label));
    const auto address = one->address.empty() ? "" : one->address + "  ";
    const auto row = fmt::format("    {}{}{}", address, one->text, one->spill ? "  (spill)" : "");
    for (auto& line : broken(row, width, 8 + address.size())) lines.push_back(std::move(line));
  }
  return lines;
}

template <class Chosen>
std::vector<const instruction*> those(const kernel_code& kernel, Chosen chosen) {
  std::vector<const instruction*> all;
  for (const auto& one : kernel.instructions)
    if (chosen(one)) all.push_back(&one);
  return all;
}

margin beside_source(const kernel_code& kernel, const std::filesystem::path& source, const counted_kernel* counts,
                     const listing_options& options) {
  margin beside;
  if (counts)
    for (const auto& traffic : counts->lines)
      if (traffic.line > 0 && traffic.file == source.filename())
        beside[traffic.line].push_back("> " + traffic_text(traffic));
  std::vector<int> lines;
  for (const auto& one : kernel.instructions)
    if (one.line > 0 && std::ranges::find(lines, one.line) == lines.end()) lines.push_back(one.line);
  for (const int line : lines) {
    auto& below = beside[line];
    const auto own = those(kernel, [&](const instruction& one) { return one.line == line; });
    std::ranges::move(listing_of(own, options, options.columns - source_margin), std::back_inserter(below));
  }
  return beside;
}

std::string without_a_line(const kernel_code& kernel, const listing_options& options) {
  std::vector<std::string> places;
  for (const auto& one : kernel.instructions)
    if (one.line == 0 && std::ranges::find(places, one.elsewhere) == places.end()) places.push_back(one.elsewhere);
  std::string text;
  for (const auto& place : places) {
    text +=
        fmt::format("\n  {}\n", place.empty() ? "Instructions of the compiler, which belong to no line:" : place + ":");
    const auto own = those(kernel, [&](const instruction& one) { return one.line == 0 && one.elsewhere == place; });
    for (const auto& line : listing_of(own, options, options.columns)) text += line + "\n";
  }
  return text;
}

}  // namespace

std::string resources_text(const judge::kernel_resources& needs) {
  auto text = fmt::format("{} for each thread", counted(needs.registers, "register"));
  if (needs.shared_bytes > 0)
    text += fmt::format(", {} of shared memory for each block", counted(needs.shared_bytes, "byte"));
  if (needs.spill_store_bytes + needs.spill_load_bytes > 0)
    return text + fmt::format("; registers spill: {} stored and {} loaded", counted(needs.spill_store_bytes, "byte"),
                              counted(needs.spill_load_bytes, "byte"));
  if (needs.stack_bytes > 0) text += fmt::format(", {} of local memory", counted(needs.stack_bytes, "byte"));
  return text + "; no spills";
}

std::string machine_code_text(const judge::machine_code& code, const kernel_code& kernel,
                              const std::filesystem::path& source, const counted_kernel* counts,
                              const listing_options& options) {
  auto text = fmt::format(
      "{}{}: {} {} for {}\n", kernel.kernel ? "" : "function ", kernel.name, kernel.instructions.size(),
      options.language == judge::code_language::sass ? "SASS instructions" : "PTX instructions", code.architecture);
  if (kernel.resources)
    for (const auto& line : broken(resources_text(*kernel.resources), options.columns - 2, 0))
      text += "  " + line + "\n";
  if (counts) text += fmt::format("  counted on the simulator: {}\n", counts->where);
  text += "\n" + annotated_source(source, beside_source(kernel, source, counts, options), 0);
  return text + without_a_line(kernel, options);
}

}  // namespace lab::cli
