#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace lab::grade {

/// Writes autograder.zip, ready for Gradescope, into a folder: this project without what was built, the policy, and the
/// two scripts that Gradescope calls. @throws std::runtime_error naming the file that cannot be written
std::filesystem::path make_gradescope(const std::filesystem::path& folder, const nlohmann::json& rules);

}  // namespace lab::grade
