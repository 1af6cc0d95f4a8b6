#include "lab/fitting_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lab {

bool fits(const problem_size& size, const launcher_spec& launcher) { return size.axes() == launcher.axes.size(); }

std::string sizes_taken(const entry& lab) {
  std::string known;
  for (const auto& launcher : lab.definition.launchers)
    known += fmt::format("{}{} takes {}", known.empty() ? "" : ", ", launcher.name, fmt::join(launcher.axes, " x "));
  return known;
}

std::vector<problem_size> sizes_for(const launcher_spec& launcher, const std::vector<problem_size>& asked,
                                    const std::vector<problem_size>& own) {
  if (asked.empty()) return own;
  std::vector<problem_size> fitting;
  std::ranges::copy_if(asked, std::back_inserter(fitting), [&](const auto& size) { return fits(size, launcher); });
  return fitting;
}

void require_fitting(const entry& lab, const std::vector<problem_size>& asked) {
  const auto& all = lab.definition.launchers;
  for (const auto& size : asked) {
    if (std::ranges::any_of(all, [&](const launcher_spec& launcher) { return fits(size, launcher); })) continue;
    throw usage_error(fmt::format("--size {} fits no launcher of {}: {}", size.name(), lab.name, sizes_taken(lab)));
  }
}

}  // namespace lab
