#include "build/kernel_variant.hpp"

#include "build/course.hpp"
#include "support/installation.hpp"
#include "support/program_path.hpp"

namespace lab::judge {

namespace {

// The course's solution, or the delivered one.
std::filesystem::path solution_folder(const entry& lab) {
  const auto own = here().root / "solutions" / lab.name;
  return exists(own) ? own : here().home / "solutions" / lab.name;
}

}  // namespace

kernel_variant starter_of(const entry& lab) {
  require_course();
  return {"starter", here().root / "labs" / lab.name / "kernel.cu"};
}
kernel_variant untouched_starter_of(const entry& lab) {
  // A course without solutions keeps the starters of its own labs.
  const auto kept = here().root / ".lab/starters" / (lab.name + ".cu");
  return {"starter", exists(kept) ? kept : solution_folder(lab) / "starter.cu"};
}
kernel_variant solution_of(const entry& lab) { return {"solution", solution_folder(lab) / "kernel.cu"}; }
kernel_variant encore_of(const entry& lab) { return {"encore", solution_folder(lab) / "encore.cu", false}; }

std::string place_of(const kernel_variant& which) {
  const auto below = path_below(here().root, which.source);
  return below.empty() ? which.source.string() : below.string();
}

}  // namespace lab::judge
