#include "judge/case_result.hpp"

namespace lab::judge {

std::string_view word(case_phase phase) {
  constexpr std::string_view words[] = {"backend", "build", "values", "trace", "gate"};
  return words[static_cast<int>(phase)];
}

std::string case_identity::name() const {
  if (phase == case_phase::backend || phase == case_phase::build) return std::string{word(phase)};
  auto text = size.name();
  if (traced()) return text + " traced";
  if (floating) text += kind == inputs::lattice ? " lattice" : " real";
  return other_inputs ? text + " again" : text;
}

}  // namespace lab::judge
