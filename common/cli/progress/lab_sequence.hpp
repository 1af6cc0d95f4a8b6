#pragma once

#include <string>
#include <vector>

#include "cli/output/terminal.hpp"
#include "lab/lab_definition.hpp"

namespace lab::cli {

/// A lab to work on, and the labs on the way to it that are not passed and cannot run on this machine.
struct next_lab {
  const entry* lab = nullptr;  ///< null if no lab is left
  std::vector<const entry*> skipped{};
};

/// The lab that `lab watch` started last or, if it is passed, the first that is not passed.
next_lab current_lab();

/// The first lab after this one that is not passed; after the last lab, the search continues at the first.
next_lab lab_after(const entry& lab);

/// "Skipped: 17_matmul_hopper, because ..." in one line; empty if no lab was skipped.
std::string why_skipped(const next_lab& next);

/// What to do when no lab is left.
std::string after_the_last_lab(const next_lab& next);

/// "[#####-----] 5 of 17 labs passed", with the terminal's colours.
std::string progress_bar(const terminal& out);

/// Prints one line for each lab with its state, and ">" before the lab `marked`, if given.
void print_labs(const terminal& out, const entry* marked = nullptr);

/// The places of a lab's lesson and kernel and the command that checks it, in several lines.
std::string first_steps(const entry& lab);

}  // namespace lab::cli
