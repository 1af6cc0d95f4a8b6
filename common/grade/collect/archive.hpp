#pragma once

#include "grade/collect/collect.hpp"

namespace lab::grade {

/// Adds what an archive holds for the labs. lab-unpack reads it in the sandbox; what that writes is not trusted either.
void unpack(submission& s, const std::filesystem::path& archive, const std::vector<std::string>& labs,
            const judge::confinement& confine);

}  // namespace lab::grade
