#include "cli/progress/course.hpp"

#include <fmt/format.h>

#include "cli/progress/progress.hpp"

namespace lab::cli {

namespace {

const entry* first_to_do() {
  const auto at = std::ranges::find_if(labs(), [](const entry& lab) { return !recall(lab.name).passed; });
  return at == labs().end() ? nullptr : &*at;
}

}  // namespace

const entry* current_lab() {
  const auto name = recall_current();
  const auto at = std::ranges::find(labs(), name, &entry::name);
  return at != labs().end() && !recall(name).passed ? &*at : first_to_do();
}

const entry* lab_after(const entry& lab) {
  const auto& all = labs();
  const auto marked = static_cast<std::size_t>(&lab - all.data());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (const auto& lab = all[(marked + i) % all.size()]; !recall(lab.name).passed) return &lab;
  return nullptr;
}

std::string progress_bar(const terminal& out) {
  constexpr std::size_t width = 34;
  const auto done =
      static_cast<std::size_t>(std::ranges::count_if(labs(), [](const entry& lab) { return recall(lab.name).passed; }));
  const auto filled = width * done / labs().size();
  return fmt::format("[{}{}] {} of {} labs passed", out.green(std::string(filled, '#')),
                     std::string(width - filled, '-'), done, labs().size());
}

void print_course(const terminal& out, const entry* marked) {
  for (const auto& lab : labs()) {
    const bool done = recall(lab.name).passed;
    out.print(fmt::format("{}{} {:<24} {}", marked ? &lab == marked ? "> " : "  " : "",
                          done ? out.green("passed") : out.yellow("todo  "), lab.name, lab.definition.idea));
  }
}

std::string first_steps(const entry& lab) {
  const auto number = lab.name.substr(0, 2);
  return fmt::format(
      "{0}: {1}\n  read    labs/{0}/README.md\n  edit    labs/{0}/kernel.cu\n  check   ./lab check {2}, or on every "
      "save: ./lab watch {2}\n",
      lab.name, lab.definition.idea, number);
}

}  // namespace lab::cli
