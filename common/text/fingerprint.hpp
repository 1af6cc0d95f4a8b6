#pragma once

#include <string>

namespace lab {

/// The first 32 hexadecimal digits of the SHA-256 of `text`. A second text with the same fingerprint cannot be
/// constructed, so it identifies a submission or a build.
std::string fingerprint(const std::string& text);

}  // namespace lab
