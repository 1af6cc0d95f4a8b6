#include "diagnosis/explanation.hpp"

#include <algorithm>

namespace lab::judge {

std::vector<explanation> explanations() {
  std::vector<explanation> all;
  for (const auto part : {verdict_explanations, hazard_explanations, diagnosis_explanations, gate_explanations})
    for (const auto& e : part()) all.push_back(e);
  return all;
}

std::vector<explanation> explanations_of(std::string_view word) {
  auto all = explanations();
  std::erase_if(all, [&](const explanation& e) { return e.word != word; });
  return all;
}

}  // namespace lab::judge
