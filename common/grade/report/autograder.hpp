#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lab::grade {

/// Writes Gradescope's autograder.zip into a folder: the built programs with the libraries that they use, the labs, the
/// policy, and the two scripts that Gradescope calls (gradescope/). @param labs the labs to grade; empty for all
/// @throws std::runtime_error with the file that cannot be written, or why the programs would not run there
std::filesystem::path make_autograder(const std::filesystem::path& folder, const nlohmann::json& rules,
                                      const std::vector<std::string>& labs);

}  // namespace lab::grade
