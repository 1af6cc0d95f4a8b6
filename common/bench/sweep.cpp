#include "bench/sweep.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <tuple>

#include "build/lab_builds.hpp"
#include "judge/check.hpp"
#include "support/parallel.hpp"
#include "text/nearest.hpp"
#include "text/source_constants.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace {

namespace fs = std::filesystem;
using combination = std::vector<std::int64_t>;

// All combinations, the values of the last constant changing fastest.
std::vector<combination> combinations_of(const std::vector<swept_constant>& constants) {
  std::vector<combination> all{{}};
  for (const auto& constant : constants) {
    std::vector<combination> longer;
    for (const auto& begun : all)
      for (const auto value : constant.values) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

source_constant only_definition(const std::vector<source_constant>& defined, const std::string& name,
                                const kernel_variant& which) {
  std::vector<source_constant> same;
  std::vector<std::string> names;
  for (const auto& one : defined) {
    if (one.name == name) same.push_back(one);
    names.push_back(one.name);
  }
  if (same.size() == 1) return same.front();
  if (same.empty())
    throw usage_error(fmt::format("{} defines no constexpr variable {}{}; it defines {}", place_of(which), name,
                                  did_you_mean(name, names), names_of_constants(which.source)));
  throw usage_error(
      fmt::format("{} defines {} {} times, in lines {} and {}; sweep changes constants that are defined "
                  "once",
                  place_of(which), name, same.size(), same[0].line, same[1].line));
}

// Writes one source for each combination.
std::vector<kernel_variant> changed_sources(const kernel_variant& which, const std::vector<swept_constant>& constants,
                                            const std::vector<combination>& all, const fs::path& folder) {
  const auto source = read_whole(which.source);
  const auto defined = constants_in(source);
  std::vector<kernel_variant> changed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::pair<source_constant, std::string>> changes;
    for (std::size_t k = 0; k < constants.size(); ++k)
      changes.emplace_back(only_definition(defined, constants[k].name, which), std::to_string(all[i][k]));
    const auto place = folder / std::to_string(i);
    fs::create_directories(place);
    std::ofstream{place / "kernel.cu"} << with_values(source, changes);
    changed.push_back({which.word, place / "kernel.cu"});
  }
  return changed;
}

// The cache keeps what these builds make, so that check and bench find it.
void build_all(const entry& lab, const std::vector<kernel_variant>& kernels, const bench_options& options) {
  if (options.progress) options.progress(fmt::format("building {} kernels", kernels.size()));
  const bool traced = options.backend == backend_kind::sim;
  const auto count = static_cast<std::int64_t>(kernels.size());
  parallel_for(traced ? 2 * count : count, [&](std::int64_t i) {
    if (i < count)
      build_for(lab, kernels[i].source, options);
    else
      build_traced(lab, kernels[i - count].source, options);
  });
}

// Why its results are not right; nothing if they are.
std::vector<bench_row> failed_check(const entry& lab, const kernel_variant& kernel, const bench_options& options) {
  check_options checked;
  static_cast<run_options&>(checked) = options;
  checked.progress = {};
  checked.timeout_s = std::min(options.timeout_s, 10.0);
  checked.traced = false;
  checked.verdict_only = true;
  const auto result = check(lab, kernel, checked);
  if (result.verdict == verdict_kind::pass) return {};
  const auto failed =
      std::ranges::find_if(result.cases, [](const case_result& one) { return one.verdict != verdict_kind::pass; });
  if (failed == result.cases.end()) return {{lab.name, kernel.word, {}, {}, result.verdict}};
  return {{lab.name, kernel.word, failed->launcher, failed->size.name(), failed->verdict,
           failed->seen.empty() ? failed->message : failed->seen}};
}

std::vector<bench_row> rows_of(const entry& lab, const kernel_variant& kernel, const bench_options& options,
                               nlohmann::json& device) {
  if (auto failed = failed_check(lab, kernel, options); !failed.empty()) return failed;
  auto result = bench(lab, kernel, options);
  if (device.empty()) device = result.device;
  return result.rows;
}

// How good a measured row is; less is better.
double measure_of(const sweep_row& row, std::string_view name) {
  if (name == "kernel_ms") return row.found.cold.median;
  if (name == "occupancy") return -row.found.counted[0].occupancy;
  for (std::size_t i = 0; i < counted_metrics.size(); ++i)
    if (word(counted_metrics[i]) == name) return row.found.counted[0].all[i];
  return 0;
}

std::vector<std::string> measures_on(backend_kind backend) {
  if (backend == backend_kind::cuda) return {"kernel_ms"};
  std::vector<std::string> all{"occupancy"};
  for (const auto metric : counted_metrics)  // fewer blocks or threads are not better
    if (metric != traffic::blocks && metric != traffic::threads) all.emplace_back(word(metric));
  return all;
}

// A measure that is the same for all combinations has no best.
void mark_best(const std::vector<sweep_row*>& group, const std::string& name) {
  const auto measure = [&](const sweep_row* row) { return measure_of(*row, name); };
  const auto [least, most] = std::ranges::minmax(group, {}, measure);
  for (auto* row : group)
    if (measure(row) == measure(least) && measure(least) < measure(most)) row->best.push_back(name);
}

void mark_best(std::vector<sweep_row>& rows, backend_kind backend) {
  for (auto at = rows.begin(); at != rows.end();) {
    std::vector<sweep_row*> group;
    const auto same = [&](const sweep_row& row) {
      return measured(row) == measured(*at) && row.found.launcher == at->found.launcher &&
             row.found.size == at->found.size;
    };
    auto end = at;
    for (; end != rows.end() && same(*end); ++end)
      if (measured(*end)) group.push_back(&*end);
    for (const auto& name : measures_on(backend))
      if (!group.empty()) mark_best(group, name);
    at = end;
  }
}

// Rows that failed come first, by their values alone.
std::tuple<bool, std::string, std::string, combination> place_of_row(const sweep_row& row) {
  if (!measured(row)) return {false, "", "", row.values};
  return {true, row.found.launcher, row.found.size, row.values};
}

}  // namespace

bool measured(const sweep_row& row) {
  return row.found.verdict == verdict_kind::pass && (row.found.cold.count > 0 || !row.found.counted.empty());
}

std::string names_of_constants(const fs::path& source) {
  std::vector<std::string> all;
  for (const auto& one : constants_in(read_whole(source)))
    all.push_back(fmt::format("{} = {} (line {})", one.name, one.value, one.line));
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

void find_constants(const kernel_variant& which, std::vector<swept_constant>& constants) {
  const auto defined = constants_in(read_whole(which.source));
  for (auto& constant : constants) {
    const auto found = only_definition(defined, constant.name, which);
    constant.line = found.line;
    constant.value = found.value;
  }
}

sweep_result sweep(const entry& lab, const kernel_variant& which, std::vector<swept_constant> constants,
                   const bench_options& options, const fs::path& folder) {
  find_constants(which, constants);
  const auto all = combinations_of(constants);
  const auto kernels = changed_sources(which, constants, all, folder);
  build_all(lab, kernels, options);
  sweep_result result{.lab = lab.name,
                      .variant = which.word,
                      .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                      .backend = options.backend,
                      .device = nlohmann::json::object()};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.progress) options.progress(fmt::format("combination {} of {}", i + 1, all.size()));
    auto alone = options;
    alone.alone = true;
    alone.cpu = false;
    alone.progress = {};
    for (auto& row : rows_of(lab, kernels[i], alone, result.device)) result.rows.push_back({all[i], std::move(row)});
  }
  std::ranges::stable_sort(result.rows, {}, place_of_row);
  mark_best(result.rows, options.backend);
  result.constants = std::move(constants);
  return result;
}

}  // namespace lab::judge
