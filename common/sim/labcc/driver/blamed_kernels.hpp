#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/labcc/loops/thread_loops.hpp"

namespace lab::sim {

namespace fs = std::filesystem;

/// The numbers of some kernels, by their file.
using some_kernels = std::map<fs::path, std::set<std::size_t>>;
/// The lines of all kernels, by their file.
using kernels_of_files = std::map<fs::path, std::vector<line_range>>;

/// The kernels whose lines a failed compiler's messages name, also as the place that needs a template.
some_kernels blamed_kernels(const std::string& messages, const kernels_of_files& all);

/// Whether each error is in the lines of one of `some` kernels, and there is any.
bool all_errors_are_in(const some_kernels& some, const std::string& messages, const kernels_of_files& all);

}  // namespace lab::sim
