#pragma once

#include <filesystem>

#include "diagnosis/diagnosis_kind.hpp"
#include "diagnosis/explanation.hpp"
#include "lab/verdict.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// The verdict of a kernel whose values are right but that has this hazard.
verdict_kind verdict_of(const hazard& found);

/// The diagnosis of a kernel with this hazard. @param source the student's file, whose lines tell races apart
diagnosis_kind diagnosis_of(const hazard& found, const std::filesystem::path& source = {});

/// The hazard at the line that launches its kernel, if it is a refused launch that the report puts at another line.
hazard at_its_launch(hazard found, const std::filesystem::path& source);

/// What sim/hazards.md explains.
std::vector<explanation> hazard_explanations();

/// One sentence: what to do about it.
std::string advice_for(const hazard& found);

/// "kernel.cu:23  out[i] = in[i];", or without the text when `file` is not the source's name.
std::string quoted_line(const std::filesystem::path& source, const std::string& file, int line);

/// Whether it is a race of one statement's stores, so that its index is wrong.
bool stored_twice(const hazard& found);

/// Place with the student's own lines, what happened, who did it.
std::string evidence(const hazard& found, const std::filesystem::path& source);

/// Kind, place with the student's own lines, what happened, who did it, advice; several lines.
std::string describe(const hazard& found, const std::filesystem::path& source);

/// The same with this advice.
std::string describe(const hazard& found, const std::filesystem::path& source, const std::string& advice);

/// The places of a hazard alone: its line, and the other one of a race, each on a line.
std::string where(const hazard& found, const std::filesystem::path& source);

}  // namespace lab::judge
