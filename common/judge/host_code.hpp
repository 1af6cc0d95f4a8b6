#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trace/trace_report.hpp"

namespace lab::judge {

/// The lines of a source at which kernels use code of the host, as warnings, by the messages of clang's CUDA front end.
/// Its other messages do not count: the simulator's own compiler has read the source.
std::vector<hazard> host_code_in(const std::filesystem::path& source, const std::string& messages);

}  // namespace lab::judge
