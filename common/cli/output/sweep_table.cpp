#include "cli/output/sweep_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "cli/output/terminal.hpp"
#include "text/wrap.hpp"
#include "trace/gates.hpp"

namespace lab::cli {

namespace {

using judge::sweep_result;
using judge::sweep_row;

// A column of the table: its heading, the measure that `best` names, and the text of a cell.
struct column {
  std::string heading, measure;
  std::function<std::string(const sweep_row&)> text;
};

std::vector<column> time_columns() {
  return {{"time", "kernel_ms", [](const sweep_row& row) { return duration(row.found.cold.median); }},
          {"from", "", [](const sweep_row& row) { return duration(row.found.cold.min); }},
          {"to", "", [](const sweep_row& row) { return duration(row.found.cold.p95); }},
          {"GB/s", "", [](const sweep_row& row) { return fmt::format("{:.4g}", row.found.gbytes_per_s); }},
          {"GFLOP/s", "", [](const sweep_row& row) { return fmt::format("{:.4g}", row.found.gflops); }}};
}

std::vector<column> count_columns() {
  std::vector<column> all;
  for (std::size_t i = 0; i < judge::counted_metrics.size(); ++i)
    all.push_back({std::string{judge::unit_of(judge::counted_metrics[i])}, std::string{word(judge::counted_metrics[i])},
                   [i](const sweep_row& row) { return fmt::format("{:.0f}", row.found.counted[0].all[i]); }});
  all.push_back({"occupancy", "occupancy",
                 [](const sweep_row& row) { return fmt::format("{:.0f}%", 100 * row.found.counted[0].occupancy); }});
  return all;
}

bool same_for_all(const column& one, const std::vector<const sweep_row*>& rows) {
  return std::ranges::all_of(rows, [&](const auto* row) { return one.text(*row) == one.text(*rows.front()); });
}

// Takes the columns out that say nothing: "the same for all: launches 1, blocks 64".
std::string take_out_the_same(std::vector<column>& columns, const std::vector<const sweep_row*>& rows) {
  std::vector<std::string> same;
  std::erase_if(columns, [&](const column& one) {
    if (rows.size() < 2 || !same_for_all(one, rows)) return false;
    if (const auto text = one.text(*rows.front()); text != "0") same.push_back(one.heading + " " + text);
    return true;
  });
  return same.empty() ? "" : fmt::format("  the same for all: {}\n", fmt::join(same, ", "));
}

std::vector<std::string> cells(const sweep_row& row, const std::vector<column>& columns) {
  std::vector<std::string> all;
  for (const auto value : row.values) all.push_back(std::to_string(value));
  if (!judge::measured(row)) return all.emplace_back(word(row.found.verdict)), all;
  for (const auto& one : columns) {
    const bool best = std::ranges::find(row.best, one.measure) != row.best.end();
    all.push_back(one.text(row) + (best ? "*" : " "));
  }
  return all;
}

// The rows of one launcher and size, and those that failed, by their values.
std::string group_text(const sweep_result& result, std::vector<const sweep_row*> rows, std::size_t width) {
  auto columns = result.backend == backend_kind::cuda ? time_columns() : count_columns();
  const auto same = result.backend == backend_kind::sim ? take_out_the_same(columns, rows) : "";
  const auto& first = rows.front()->found;
  auto text = fmt::format("\n  {} {}\n", first.launcher, first.size);
  std::vector<std::string> heading;
  for (const auto& constant : result.constants) heading.push_back(constant.name);
  for (const auto& one : columns) heading.push_back(one.heading + " ");
  for (const auto& row : result.rows)
    if (!judge::measured(row)) rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, &sweep_row::values);
  std::vector<std::vector<std::string>> lines{heading};
  for (const auto* row : rows) lines.push_back(cells(*row, columns));
  return text + table_within(lines, width) + "\n" + wrapped(same, width);
}

// The beginning of a message in one line; a compiler may say much.
std::string in_one_line(const std::string& message) {
  constexpr std::size_t most = 400;
  auto line = message.substr(0, std::min(message.find("\n\n"), most));
  std::ranges::replace(line, '\n', ' ');
  const auto begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

}  // namespace

std::string combination_name(const sweep_result& result, const sweep_row& row) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < row.values.size(); ++i)
    parts.push_back(fmt::format("{} = {}", result.constants[i].name, row.values[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string sweep_tables(const sweep_result& result, std::size_t width) {
  std::string text;
  std::vector<const sweep_row*> group;
  const auto finish = [&] {
    if (!group.empty()) text += group_text(result, std::exchange(group, {}), width);
  };
  for (const auto& row : result.rows) {
    if (!judge::measured(row)) continue;
    if (!group.empty() &&
        (group.front()->found.launcher != row.found.launcher || group.front()->found.size != row.found.size))
      finish();
    group.push_back(&row);
  }
  finish();
  return text;
}

std::string sweep_failures(const sweep_result& result) {
  std::string text;
  for (const auto& row : result.rows)
    if (!judge::measured(row))
      text += fmt::format("  {}: {}{}\n", combination_name(result, row), word(row.found.verdict),
                          row.found.message.empty() ? "" : "; " + in_one_line(row.found.message));
  return text;
}

}  // namespace lab::cli
