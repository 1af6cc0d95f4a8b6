#pragma once

#include "grade/collect/collect.hpp"

namespace lab::grade {

/// The machine cannot unpack any archive, because a library is missing.
struct cannot_unpack : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Adds the sources in an archive, open as the descriptor `archive`, to a submission. lab-unpack reads a copy of it in
/// the sandbox; its output is untrusted.
void unpack(submission& collected, int archive, const std::vector<std::string>& labs,
            const judge::confinement& confine);

}  // namespace lab::grade
