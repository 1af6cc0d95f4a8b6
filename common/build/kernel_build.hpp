#pragma once

#include <filesystem>
#include <string_view>

#include "build/build.hpp"
#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"

namespace lab::judge {

/// Builds a kernel of this lab. Among the comments that begin its file, "// link: cublas" names libraries that it needs
/// and "// arch: sm_90a" the only architecture that it is for; "// arch: sm_90a or any" also lets it run elsewhere.
build_result build_for(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// Its device code alone, for a GPU.
build_result build_device_code(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// The same, traced, for the simulator.
build_result build_traced(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// The words that follow a mark such as "// link:" among the comments that begin a file.
std::vector<std::string> words_after(std::string_view mark, const std::filesystem::path& source);

}  // namespace lab::judge
