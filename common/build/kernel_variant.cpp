#include "build/kernel_variant.hpp"

#include "build/course.hpp"
#include "support/installation.hpp"

namespace lab::judge {

kernel_variant starter_of(const entry& lab) {
  require_course();
  return {"starter", here().root / "labs" / lab.name / "kernel.cu"};
}
kernel_variant untouched_starter_of(const entry& lab) {
  return {"starter", here().solutions() / lab.name / "starter.cu"};
}
kernel_variant solution_of(const entry& lab) { return {"solution", here().solutions() / lab.name / "kernel.cu"}; }
kernel_variant encore_of(const entry& lab) { return {"encore", here().solutions() / lab.name / "encore.cu"}; }

std::string place_of(const kernel_variant& which) {
  const auto relative = which.source.lexically_relative(here().root);
  return relative.empty() || *relative.begin() == ".." ? which.source.string() : relative.string();
}

}  // namespace lab::judge
