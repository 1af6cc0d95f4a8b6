#pragma once

#include "grade/collect/collect.hpp"

namespace lab::grade {

/// Adds the sources in an archive, open as the descriptor `archive`, to a submission. lab-unpack reads a copy of it in
/// the sandbox; its output is untrusted.
void unpack(submission& collected, int archive, const std::vector<std::string>& labs,
            const judge::confinement& confine);

}  // namespace lab::grade
