#include "grade/mutation/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "judge/check.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace {

// A partial Fisher-Yates shuffle whose result is the same everywhere, in the order of the source.
std::vector<mutant> sample_of(std::vector<mutant> all, const validation_options& options) {
  if (options.sample == 0 || options.sample >= all.size()) return all;
  std::mt19937_64 random{options.seed};
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = 0; i < options.sample; ++i) std::swap(order[i], order[i + random() % (order.size() - i)]);
  order.resize(options.sample);
  std::ranges::sort(order);
  std::vector<mutant> chosen;
  for (const auto i : order) chosen.push_back(std::move(all[i]));
  return chosen;
}

judge::check_result checked(const entry& lab, const std::filesystem::path& kernel, double longest_case_s) {
  judge::check_options options;
  options.seed = 1;
  options.timeout_s = longest_case_s;
  options.budget_s = 10 * longest_case_s;
  options.verdict_only = true;
  return judge::check(lab, {"file", kernel}, options);
}

// How long a case of a mutant may take: as long as the whole check of the solution, because each endless loop takes all
// of it. On a machine that is busy with other work, the solution takes longer, too.
double longest_case_s(const entry& lab) {
  const auto solution = checked(lab, judge::solution_of(lab).source, 60);
  if (solution.verdict != verdict_kind::pass)
    throw usage_error(fmt::format("{}: the solution itself fails with {}; ./lab check {} --solution shows why",
                                  lab.name, word(solution.verdict), lab.name.substr(0, 2)));
  return std::max(1.5, solution.seconds);
}

bool names_any(const equivalent_mutant& one, const std::vector<mutant>& all) {
  return std::ranges::any_of(all, [&](const mutant& made) { return one.is(made); });
}

std::vector<equivalent_mutant> unknown_among(std::vector<equivalent_mutant> listed, const std::vector<mutant>& all) {
  std::erase_if(listed, [&](const equivalent_mutant& one) { return names_any(one, all); });
  return listed;
}

// One entry may name the same line of two kernels. Where the mutant of one of them passes, the entry is needed.
bool refuted(const equivalent_mutant& one, const std::vector<validated_mutant>& checked,
             const std::vector<mutant>& all) {
  const auto named = [&](const mutant& made) { return one.is(made); };
  const auto fails = [&](const validated_mutant& v) { return one.is(v.made) && !v.passes(); };
  const auto count = std::ranges::count_if(all, named);
  return count > 0 && std::ranges::count_if(checked, fails) == count;
}

std::string reason_for(const mutant& made, const std::vector<equivalent_mutant>& listed) {
  const auto known = std::ranges::find_if(listed, [&](const auto& e) { return e.is(made); });
  return known == listed.end() ? "" : known->reason;
}

std::vector<mutant> mutants_of_solution(const entry& lab) {
  return mutants_of(read_whole(judge::solution_of(lab).source));
}

}  // namespace

std::filesystem::path equivalents_of(const entry& lab) {
  return judge::solution_of(lab).source.parent_path() / "equivalent_mutants.txt";
}

std::vector<equivalent_mutant> unknown_entries(const entry& lab) {
  return unknown_among(equivalent_mutants(equivalents_of(lab)), mutants_of_solution(lab));
}

validation validate(const entry& lab, const validation_options& options) {
  const auto listed = equivalent_mutants(equivalents_of(lab));
  const auto all = mutants_of_solution(lab);
  validation result{{}, unknown_among(listed, all), {}};
  const temporary_folder folder{"mutant"};
  const auto chosen = sample_of(all, options);
  const double limit_s = longest_case_s(lab);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (options.progress) options.progress(i + 1, chosen.size());
    const auto file = folder.path() / "kernel.cu";
    std::ofstream{file} << chosen[i].text;
    result.mutants.push_back({chosen[i], reason_for(chosen[i], listed), checked(lab, file, limit_s).verdict});
  }
  for (const auto& one : listed)
    if (refuted(one, result.mutants, all)) result.refuted.push_back(one);
  return result;
}

}  // namespace lab::grade
