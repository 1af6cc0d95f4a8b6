#pragma once

#include <filesystem>

#include "judge/profile.hpp"

namespace lab::cli {

/// The kernels' source with what each line cost beside it, the costliest line, totals of every launch, hazards.
std::string profile_text(const judge::profile& p, const std::filesystem::path& source);

}  // namespace lab::cli
