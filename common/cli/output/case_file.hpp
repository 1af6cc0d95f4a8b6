#pragma once

#include <filesystem>
#include <optional>

#include "judge/check.hpp"

// Cases as NumPy's .npz files: an array for each parameter, by its name, and with them `lab`, `launcher` and `size`.
namespace lab::cli {

/// Writes the inputs of a case, or all its arrays.
/// @throws machine_error if NumPy is missing, std::runtime_error if the file cannot be written
void write_case(const std::filesystem::path& file, const entry& lab, const judge::given_case& one, bool outputs_too);

/// Reads a case for this lab. The size comes from the file, unless it is given.
/// @throws usage_error naming the file and what does not fit: damaged, foreign, a wrong shape or type, a missing array
judge::given_case read_case(const std::filesystem::path& file, const entry& lab,
                            const std::optional<problem_size>& given);

/// The launcher_spec of the lab's launcher of that name, or its first one if the name is empty.
/// @throws usage_error naming the launchers that there are
const launcher_spec& launcher_named(const entry& lab, const std::string& name);

}  // namespace lab::cli
