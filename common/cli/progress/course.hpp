#pragma once

#include <string>

#include "cli/output/terminal.hpp"
#include "lab/lab_definition.hpp"

namespace lab::cli {

/// The lab to work on: the one that was last begun with `lab watch`, or, once that is passed, the first that is not;
/// nothing when all are.
const entry* current_lab();

/// The first lab after this one that is not passed, going round; nothing when all others are passed.
const entry* lab_after(const entry& lab);

/// "[#####-----] 5 of 17 labs passed", in the words of a terminal.
std::string progress_bar(const terminal& t);

/// Every lab on a line, with its state; `here`, if given, is marked.
void print_course(const terminal& t, const entry* here = nullptr);

/// Where a lab's lesson and kernel are and how to check it; several lines.
std::string first_steps(const entry& lab);

}  // namespace lab::cli
