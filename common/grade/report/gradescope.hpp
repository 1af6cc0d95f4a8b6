#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace lab::grade {

/// Writes Gradescope's autograder.zip into a folder: this project without its build, the policy, and the two scripts
/// that Gradescope calls. @throws std::runtime_error with the file that cannot be written
std::filesystem::path make_gradescope(const std::filesystem::path& folder, const nlohmann::json& rules);

}  // namespace lab::grade
