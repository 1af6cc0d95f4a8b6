#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "build/build_request.hpp"
#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"

namespace lab::judge {

/// Builds a kernel of this lab. In the comments at the top of its file, "// link: cublas" names libraries, and
/// "// arch: sm_90a" the only architecture that it is compiled for. With "// arch: sm_90a or any" every GPU can run it.
build_result build_for(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// Builds its device code alone, for a GPU.
build_result build_device_code(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// Builds it for the simulator with tracing.
build_result build_traced(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// Differs if build_traced() would compile something else or in another way.
std::string traced_build_key(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// Has clang's CUDA front end check the source. The result's `library` is a file with its messages; without clang the
/// verdict is not pass.
build_result check_source(const entry& lab, const std::filesystem::path& source, const run_options& options);

/// The words after a mark such as "// link:" in the comments at the top of a file.
std::vector<std::string> words_after(std::string_view mark, const std::filesystem::path& source);

}  // namespace lab::judge
