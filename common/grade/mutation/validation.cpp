#include "grade/mutation/validation.hpp"

#include <algorithm>
#include <fstream>
#include <random>

#include "judge/check.hpp"
#include "support/installation.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace {

constexpr double longest_case_s = 3;  // a right kernel needs a small part of it

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

verdict_kind verdict_on(const entry& lab, const mutant& made, const temporary_folder& folder) {
  const auto file = folder.path() / "kernel.cu";
  std::ofstream{file} << made.text;
  judge::check_options options;
  options.seed = 1;
  options.timeout_s = longest_case_s;
  options.budget_s = 10 * longest_case_s;
  return judge::check(lab, {"file", file}, options).verdict;
}

std::vector<equivalent_mutant> without_mutant(std::vector<equivalent_mutant> listed, const std::vector<mutant>& all) {
  std::erase_if(listed, [&](const equivalent_mutant& one) {
    return std::ranges::any_of(all, [&](const mutant& made) { return one.is(made); });
  });
  return listed;
}

}  // namespace

std::filesystem::path equivalents_of(const entry& lab) {
  return here().root / "solutions" / lab.name / "equivalent_mutants.txt";
}

validation validate(const entry& lab, const validation_options& options) {
  const auto listed = equivalent_mutants(equivalents_of(lab));
  const auto all = mutants_of(read_whole(judge::solution_of(lab).source));
  validation result;
  if (options.sample == 0) result.stale = without_mutant(listed, all);
  const temporary_folder folder{"mutant"};
  const auto chosen = sample_of(all, options);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (options.progress) options.progress(i + 1, chosen.size());
    auto& one = result.mutants.emplace_back(validated_mutant{chosen[i]});
    const auto known = std::ranges::find_if(listed, [&](const auto& e) { return e.is(one.made); });
    if (known == listed.end())
      one.verdict = verdict_on(lab, one.made, folder);
    else
      one.reason = known->reason;
  }
  return result;
}

}  // namespace lab::grade
