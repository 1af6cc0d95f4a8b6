#pragma once

#include <filesystem>
#include <string>

#include "diagnosis/diagnosis_kind.hpp"
#include "diagnosis/explanation.hpp"
#include "lab/gate.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// The result of one gate of a lab.
struct gate_result {
  std::string launcher{};
  traffic metric{};
  std::string size{}, kernel{};
  double limit = 0, least = 0, value = 0;
  bool passed = false;
  bool remark = false;     ///< a kernel beyond the limit passes all the same
  bool scattered = false;  ///< the same accesses without bank conflicts, or coalesced, would be within the limit
  std::string file{};
  int line = 0;           ///< where most of the excess comes from, 0 for nowhere
  std::string message{};  ///< if it failed: the line, the number, the limit and why it matters; several lines
};

/// Holds a gate against what was counted at its size. @param source whose line the message quotes
gate_result measure(const gate& limit, const trace_report& r, const std::filesystem::path& source);

/// The value of a metric over all launches of a report.
double counted(traffic metric, const trace_report& report);

/// What a metric counts, in words: "sectors loaded".
std::string_view unit_of(traffic metric);

/// The diagnosis of a kernel that fails a gate on this metric.
diagnosis_kind diagnosis_of(const gate_result& result);

/// What metrics.md explains.
std::vector<explanation> metric_explanations();

nlohmann::json to_json(const gate_result& result);

}  // namespace lab::judge
