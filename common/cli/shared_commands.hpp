#pragma once

#include "bench/bench.hpp"
#include "cli/flags.hpp"
#include "cli/output/terminal.hpp"

namespace lab::cli {

/// Whether a result is followed by the command to type next.
enum class advice { given, none };

/// Checks every job, prints and keeps the results; the document of `lab check --json`. Sets code to failed if any
/// failed.
nlohmann::json check_all(const std::vector<job>& jobs, const judge::check_options& o, const terminal& t, int& code,
                         advice next = advice::given);

/// Prints one result and what to do next.
void show_check(const judge::check_result& r, const terminal& t);

/// The empty document of check results.
nlohmann::json check_document(backend_kind backend);

/// The program and arguments that write the report.
std::vector<std::string> report_command();

/// Profiles what was checked on the simulator for the report, unless the same source has been.
void keep_profiles(const terminal& t);

/// The same for timing.
nlohmann::json bench_all(const std::vector<job>& jobs, const judge::bench_options& o, const terminal& t, int& code);

/// Counts and prints the traffic of the kernel that the flags name.
void profile(const flags& f, int& code);

/// Prints a hint of a lab: the one of that number or, for 0, the next; it is remembered how many were shown.
void show_hint(const std::string& which, int number);

}  // namespace lab::cli
