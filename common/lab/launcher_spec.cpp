#include "lab/launcher_spec.hpp"

#include <fmt/format.h>

#include "lab/lab_definition.hpp"

namespace lab {

bool refused(const launcher_spec& launcher, const problem_size& size) {
  return launcher.refuses && !launcher.refuses(size).empty();
}

bool solvable(const launcher_spec& launcher, const problem_size& size) {
  return !refused(launcher, size) && why_impossible(launcher, size).empty();
}

std::string why_impossible(const launcher_spec& launcher, const problem_size& size) {
  return launcher.impossible ? launcher.impossible(size) : "";
}

problem_cost cost_at(const launcher_spec& launcher, const problem_size& size) {
  return launcher.cost ? launcher.cost(size) : problem_cost{};
}

std::vector<inputs> kinds_of(const launcher_spec& launcher) {
  if (launcher.floating) return {inputs::lattice, inputs::real};
  return {inputs::lattice};
}

arguments drawn(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind) {
  if (const auto why = why_impossible(launcher, size); !why.empty())
    throw usage_error(fmt::format("size {}: {}", size.name(), why));
  random values{seed, kind};
  return launcher.make(size, values);
}

void allocate_outputs(arguments& all) {
  for (auto& argument : all)
    if (argument.role == parameter_role::output) argument.bytes.resize(argument.size_bytes());
}

}  // namespace lab
