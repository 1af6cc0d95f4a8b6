#pragma once

#include <string>

#include "model/gpu_parameters.hpp"

namespace lab::judge {

/// What microbenchmarks.cu printed, as parameters. What it does not measure is taken from `like`.
/// @throws nlohmann::json::exception if it is something else
gpu_parameters calibrated(const std::string& measured, const gpu_parameters& like);

/// Rows for gpus.md: "| clock_mhz | 1963 |".
std::string table_of(const gpu_parameters& gpu);

}  // namespace lab::judge
