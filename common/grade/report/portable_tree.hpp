#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lab::grade {

/// The runner for GPUs, which an autograder leaves out: Gradescope has none.
inline constexpr auto gpu_runner = "lab-runner-cuda";

/// The installed tree of this program, with the libraries that its programs use. From a checkout it is installed into
/// `scratch`. @throws std::runtime_error if that fails
std::filesystem::path portable_tree(const std::filesystem::path& scratch);

/// Why programs would not run on Ubuntu 22.04, Gradescope's system; empty if they do.
/// @param objdump what `objdump -p` prints of a program @param shipped the libraries beside the programs
std::vector<std::string> misfits_of(const std::string& objdump, const std::set<std::string>& shipped);

/// @throws std::runtime_error naming the programs and libraries of a tree that would not run on Ubuntu 22.04
void require_fit_for_gradescope(const std::filesystem::path& tree);

}  // namespace lab::grade
