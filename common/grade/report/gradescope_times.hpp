#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace lab::grade {

/// The rules of a policy with the times of one submission. Gradescope's due date replaces the deadline, and its time of
/// the submission that of the files. A student's extension counts; of a group's members, the latest. Rules without
/// "late" are unchanged. @param metadata Gradescope's submission_metadata.json
/// @throws std::runtime_error if it has no time of submission
nlohmann::json with_gradescope_times(nlohmann::json rules, const nlohmann::json& metadata, const std::string& student);

/// A policy's form, in UTC, of "2018-07-01T14:22:32.365935-07:00". A begun second counts as the next one.
std::optional<std::string> utc_from(const std::string& time);

}  // namespace lab::grade
