#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "build/kernel_variant.hpp"
#include "cli/command.hpp"
#include "judge/check.hpp"

namespace lab::cli {

/// What check, bench and run understand alike.
struct flags {
  std::string which;  ///< NN or "all"
  bool solution = false, encore = false;
  std::string kernel;
  std::string backend;
  bool json = false, no_color = false, peers = false, no_cpu = false, limits = false, kernel_only = false;
  std::uint64_t seed = 0;
  double timeout = 10;
  int device = 0;
  unsigned schedules = 1;
  std::vector<std::string> sizes;
  CLI::Option* seed_option = nullptr;
};

/// One kernel to judge.
struct job {
  const entry* lab;
  judge::kernel_variant variant;
};

void add_flags(CLI::App& command, flags& f);

/// The back end that the flags ask for. @throws machine_error if it cannot be used here
backend_kind chosen_backend(const flags& f);

/// Every lab and variant that the flags name. @throws usage_error
std::vector<job> chosen_jobs(const flags& f);

void fill(judge::run_options& o, const flags& f);
void fill(judge::check_options& o, const flags& f);

}  // namespace lab::cli
