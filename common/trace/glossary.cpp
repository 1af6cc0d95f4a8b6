#include "trace/glossary.hpp"

#include "trace/gates.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

std::vector<explanation> explanations() {
  std::vector<explanation> all;
  for (const auto part : {verdict_explanations, hazard_explanations, diagnosis_explanations, metric_explanations})
    for (auto& one : part()) all.push_back(std::move(one));
  return all;
}

std::vector<explanation> explanations_of(std::string_view word) {
  auto all = explanations();
  std::erase_if(all, [&](const explanation& one) { return one.word != word; });
  return all;
}

}  // namespace lab::judge
