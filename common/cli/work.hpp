#pragma once

#include "cli/flags.hpp"
#include "cli/terminal.hpp"
#include "judge/bench.hpp"

namespace lab::cli {

/// Checks every job, prints and keeps the results; the document of `lab check --json`. Sets code to failed if any
/// failed.
nlohmann::json check_all(const std::vector<job>& jobs, const judge::options& o, const terminal& t, int& code);

/// Prints one result and what to do next.
void show_check(const judge::check_result& r, const terminal& t);

/// The empty document of check results.
nlohmann::json check_document(judge::backend backend);

/// Profiles what was checked on the simulator for the report, unless the same source has been.
void keep_profiles(const terminal& t);

/// The same for timing.
nlohmann::json bench_all(const std::vector<job>& jobs, const judge::bench_options& o, const terminal& t, int& code);

}  // namespace lab::cli
