#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "build/kernel_variant.hpp"
#include "cli/command.hpp"
#include "judge/check.hpp"

namespace lab::cli {

/// Flags that check, bench, run, profile and predict share.
struct common_flags {
  std::string which;  ///< a lab's number or name, or "all"
  bool solution = false, encore = false;
  std::string kernel;
  std::string backend, gpu;
  bool json = false, no_color = false, peers = false, no_cpu = false, limits = false, kernel_only = false,
       simulator_time = false;
  std::uint64_t seed = 0;
  double timeout = 10;
  int device = 0;
  unsigned schedules = 1;
  std::vector<std::string> sizes;
  option seed_option{};
};

/// One kernel to check, time or profile.
struct kernel_job {
  const entry* lab;
  judge::kernel_variant variant;
};

void add_flags(command_line command, common_flags& flags);

/// Makes --timeout the limit of a whole check, 30 s by default.
void limit_whole_check(command_line command, common_flags& flags);

/// The back end that the flags select. @throws machine_error if this machine cannot use it
backend_kind chosen_backend(const common_flags& flags);

/// One job for each lab and kernel that the flags select. @throws usage_error
std::vector<kernel_job> chosen_jobs(const common_flags& flags);

void fill(judge::run_options& options, const common_flags& flags);
void fill(judge::check_options& options, const common_flags& flags);

}  // namespace lab::cli
