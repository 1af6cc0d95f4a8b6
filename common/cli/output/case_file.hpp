#pragma once

#include <filesystem>
#include <optional>

#include "judge/check.hpp"

// Test cases as NumPy's .npz files: one array for each parameter, under its name, and `lab`, `launcher` and `size`.
namespace lab::cli {

/// Writes the inputs of a case or, with `outputs_too`, its outputs.
/// @throws machine_error if NumPy is missing, std::runtime_error if the file cannot be written
void write_case(const std::filesystem::path& file, const entry& lab, const judge::given_case& one, bool outputs_too);

/// Reads a case for this lab. `given` overrides the size in the file.
/// @throws usage_error if the file is damaged, belongs to another lab, or has a missing array or a wrong shape or type
judge::given_case read_case(const std::filesystem::path& file, const entry& lab,
                            const std::optional<problem_size>& given);

/// The lab's launcher of this name or, if the name is empty, its first launcher.
/// @throws usage_error if there is none; the message lists the launchers
const launcher_spec& launcher_named(const entry& lab, const std::string& name);

}  // namespace lab::cli
