#pragma once

#include <string>

#include "cli/output/terminal.hpp"
#include "lab/lab_definition.hpp"

namespace lab::cli {

/// The lab to work on: the one that `lab watch` started last or, if it is passed, the first that is not passed.
/// Null if all are passed.
const entry* current_lab();

/// The first lab after this one that is not passed; after the last lab, the search continues at the first. Null if all
/// others are passed.
const entry* lab_after(const entry& lab);

/// "[#####-----] 5 of 17 labs passed", with the terminal's colours.
std::string progress_bar(const terminal& out);

/// Prints one line for each lab with its state, and ">" before the lab `marked`, if given.
void print_course(const terminal& out, const entry* marked = nullptr);

/// The places of a lab's lesson and kernel and the command that checks it, in several lines.
std::string first_steps(const entry& lab);

}  // namespace lab::cli
