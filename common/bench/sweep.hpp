#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace lab::judge {

/// A constant of a kernel's source, and the values that it gets in turn.
struct swept_constant {
  std::string name;
  std::vector<std::int64_t> values;  ///< in rising order, each once
  std::int64_t line = 0;             ///< where the source defines it
  std::string value{};               ///< in the source
};

/// One combination of values, for one launcher at one size.
struct sweep_row {
  std::vector<std::int64_t> values;  ///< in the order of the constants
  bench_row found;
  std::vector<std::string> best{};  ///< what no other combination has better: "kernel_ms", "occupancy", a metric
};

struct sweep_result {
  std::string lab{}, variant{}, date{};
  backend_kind backend = backend_kind::sim;
  nlohmann::json device;
  std::vector<swept_constant> constants{};
  std::vector<sweep_row> rows{};  ///< those that failed, then by launcher, size and values
};

/// The constants that the source defines, as "tile = 32 (line 3)", for messages.
std::string names_of_constants(const std::filesystem::path& source);

/// Looks up the constants in the source. @throws usage_error unless the source defines each of them exactly once
void find_constants(const kernel_variant& which, std::vector<swept_constant>& constants);

/// Builds the kernel with each combination of the values, checks its results, and measures it as bench() does, without
/// rivals. The changed sources are written to `folder`. @throws usage_error as find_constants does
sweep_result sweep(const entry& lab, const kernel_variant& which, std::vector<swept_constant> constants,
                   const bench_options& options, const std::filesystem::path& folder);

/// Whether a combination gave right results and was measured.
bool measured(const sweep_row& row);

nlohmann::json to_json(const sweep_result& result);

}  // namespace lab::judge
