#pragma once

#include "grade/collect/collect.hpp"

namespace lab::grade {

/// Adds the sources in an archive to a submission. lab-unpack reads the archive in the sandbox; its output is
/// untrusted.
void unpack(submission& collected, const std::filesystem::path& archive, const std::vector<std::string>& labs,
            const judge::confinement& confine);

}  // namespace lab::grade
