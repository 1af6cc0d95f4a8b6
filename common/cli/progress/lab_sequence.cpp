#include "cli/progress/lab_sequence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "build/availability.hpp"
#include "cli/progress/progress.hpp"

namespace lab::cli {

extern const std::string_view first_steps_text;  // first_steps.txt

namespace {

// Starts a runner only for a lab that not every back end and device can run.
std::string why_not_here(const entry& lab) try {
  const bool simulated = runs_on(lab, backend_kind::sim);
  if (simulated && lab.definition.least_capability == 0) return "";
  judge::run_options options;
  options.backend = judge::default_backend();
  if (!simulated && options.backend == backend_kind::sim) return "they need a GPU, which ./lab doctor does not find";
  return judge::why_not_here(lab, options);
} catch (const std::exception& e) {
  return e.what();
}

// Whether this is a lab to work on. Notes it if only the machine is against it.
bool take(next_lab& next, const entry& lab) {
  if (recall(lab.name).passed) return false;
  const bool runs = why_not_here(lab).empty();
  if (runs)
    next.lab = &lab;
  else
    next.skipped.push_back(&lab);
  return runs;
}

}  // namespace

next_lab current_lab() {
  next_lab next;
  const auto at = std::ranges::find(labs(), recall_current(), &entry::name);
  if (at != labs().end() && take(next, *at)) return next;
  next = {};
  for (const auto& lab : labs())
    if (take(next, lab)) break;
  return next;
}

next_lab lab_after(const entry& lab) {
  next_lab next;
  const auto& all = labs();
  const auto marked = static_cast<std::size_t>(&lab - all.data());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (take(next, all[(marked + i) % all.size()])) break;
  return next;
}

std::string why_skipped(const next_lab& next) {
  if (next.skipped.empty()) return "";
  std::vector<std::string> names;
  for (const auto* lab : next.skipped) names.push_back(lab->name);
  return fmt::format("Skipped, because this machine cannot run them: {} ({})", fmt::join(names, ", "),
                     why_not_here(*next.skipped.front()));
}

std::string after_the_last_lab(const next_lab& next) {
  return fmt::format("You have passed every lab{}. Next: ./lab report shows how fast your kernels are.",
                     next.skipped.empty() ? "" : " that this machine can run");
}

namespace {

// "  stage 2 of 3: the host side (./lab check 01.2)"; empty without stages or if none is left.
std::string next_stage(const entry& lab) {
  const auto& stages = lab.definition.stages;
  const auto done = recall(lab.name).stages;
  for (int number = 1; number <= static_cast<int>(stages.size()); ++number)
    if (!done.contains(number))
      return fmt::format("  stage {} of {}: {} (./lab check {}.{})\n", number, stages.size(), stages[number - 1].title,
                         number_of(lab), number);
  return "";
}

// "passed", "todo", or "1 of 2" stages.
std::string state_of(const entry& lab, const terminal& out) {
  const auto progress = recall(lab.name);
  if (progress.passed) return out.green("passed");
  if (progress.stages.empty()) return out.yellow("todo  ");
  return out.yellow(fmt::format("{} of {}", progress.stages.size(), lab.definition.stages.size()));
}

}  // namespace

std::string progress_bar(const terminal& out) {
  // The rest of the line needs 24 columns.
  const auto width = std::clamp<std::size_t>(terminal_width(STDOUT_FILENO), 34, 58) - 24;
  const auto done =
      static_cast<std::size_t>(std::ranges::count_if(labs(), [](const entry& lab) { return recall(lab.name).passed; }));
  const auto filled = width * done / labs().size();
  return fmt::format("[{}{}] {} of {} labs passed", out.green(std::string(filled, '#')),
                     std::string(width - filled, '-'), done, labs().size());
}

void print_labs(const terminal& out, const entry* marked) {
  const bool narrow = terminal_width(STDOUT_FILENO) < 72;
  for (const auto& lab : labs()) {
    const auto state = state_of(lab, out);
    const auto row = fmt::format("{}{} {:<24} ", marked ? &lab == marked ? "> " : "  " : "", state, lab.name);
    if (!narrow) {
      out.print_row(row + lab.definition.idea, marked ? 34 : 32);
      continue;
    }
    out.print_row(row.substr(0, row.find_last_not_of(' ') + 1));
    out.print_row("    " + lab.definition.idea, 4);
  }
}

std::string first_steps(const entry& lab) {
  const auto number = lab.name.substr(0, 2);
  return fmt::format(fmt::runtime(first_steps_text), lab.name, lab.definition.idea, number, next_stage(lab));
}

}  // namespace lab::cli
