#pragma once

#include <filesystem>
#include <string>

#include "lab/gate.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// What a gate of a card came to.
struct gate_result {
  std::string launcher{}, metric{}, size{}, kernel{};
  double limit = 0, value = 0;
  bool passed = false;
  std::string file{};
  int line = 0;           ///< where most of the excess comes from, 0 for nowhere
  std::string message{};  ///< if it failed: the line, the number, the limit and why it matters; several lines
};

/// "load_sectors_per_request" and so on, as in the JSON documents.
std::string_view word(traffic metric);

/// Holds a gate against what was counted at its size. @param source whose line the message quotes
gate_result measure(const gate& g, const trace_report& r, const std::filesystem::path& source);

/// The word by which hints.md and mutants know a kernel that fails a gate on this metric; see diagnosis.hpp.
std::string diagnosis_of(const gate_result& g);

nlohmann::json to_json(const gate_result& g);

}  // namespace lab::judge
