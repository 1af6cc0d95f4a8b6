#pragma once

#include <string>
#include <string_view>

#include "sim/labcc/driver/options.hpp"

// NVIDIA's CCCL headers (Thrust and libcu++), which this repository does not contain.

namespace lab::sim {

/// Whether a header of this name is one of CCCL's that can serve host code.
bool is_usable_of_cccl(std::string_view header);
/// Whether a folder has these headers.
bool holds_cccl(const fs::path& folder);
/// The folder of the headers: of a -I option, of LAB_CCCL, of a CUDA toolkit or of a Python package. Empty if there is
/// none.
fs::path cccl_folder(const options& wanted);
/// Why the headers of this folder cannot be used; empty if they can.
std::string cccl_is_unusable(const fs::path& folder);

}  // namespace lab::sim
