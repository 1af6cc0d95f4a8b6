#pragma once

#include <optional>

#include "bench/bench.hpp"
#include "cli/command_line.hpp"
#include "cli/common_flags.hpp"
#include "cli/output/terminal.hpp"

namespace lab::judge {
struct gpu_parameters;
}

// Parts of sub-commands that other sub-commands also call.
namespace lab::cli {

/// Whether the command to type next follows a result.
enum class advice { given, none };

/// Checks every job, prints and keeps the results; the document of `lab check --json`. Sets code to failed if any
/// failed.
nlohmann::json check_all(const std::vector<kernel_job>& jobs, const judge::check_options& options, const terminal& out,
                         int& code, advice next = advice::given);

/// Prints one result and the command to type next.
void show_check(const judge::check_result& result, const terminal& out);

/// The JSON document of check results, still without a result.
nlohmann::json check_document(backend_kind backend);

/// The command line that writes the report.
std::vector<std::string> report_command();

/// Profiles every checked kernel on the simulator and saves the profiles for the report. A kernel whose source has not
/// changed since its last profile is skipped.
void save_report_profiles(const terminal& out);

/// The document of `lab asm --json` without counts; none if nvcc is missing or cannot compile the kernel.
std::optional<nlohmann::json> machine_code_document(const kernel_job& job);

/// Lists the machine code of each checked kernel of yours and saves it for the report. Needs nvcc, else does nothing.
void save_machine_code(const terminal& out);

/// Times every job, prints and keeps the results, with times modelled for this GPU unless it is null. Returns the
/// document of `lab bench --json`.
nlohmann::json bench_all(const std::vector<kernel_job>& jobs, const judge::bench_options& options,
                         const judge::gpu_parameters* modelled, const terminal& out, int& code);

/// Counts and prints the memory traffic of the kernel that the flags select.
void profile(const common_flags& flags, int& code);

/// Prints the next lab and how to begin it, for `lab next` and for `lab` alone.
void show_next_lab();

/// Prints the next lab and the commands that matter first.
void show_what_to_do_next();

/// Prints what may stand in place of the last of the words, a line each, for the scripts of `lab completion`.
void complete(const command_line& app, const std::vector<std::string>& words);

/// Prints the hint with this number or, for 0, the next one. .lab/state.json keeps how many hints were shown.
void show_hint(const std::string& which, int number);

}  // namespace lab::cli
