#pragma once

#include <string>

namespace lab {

/// A name for everything that `text` says: the first 32 hexadecimal digits of its SHA-256. Nobody can write a second
/// text with that name, so a student cannot pass off another's work as their own, or their own as another's.
std::string fingerprint(const std::string& text);

}  // namespace lab
