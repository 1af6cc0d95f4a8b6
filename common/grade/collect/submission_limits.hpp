#pragma once

#include <cstddef>

namespace lab::grade {

/// The limits for one student's submission; a larger one is refused.
constexpr std::size_t most_files = 2000, most_source_bytes = 1 << 20, most_archive_bytes = 64 << 20,
                      most_unpacked_bytes = 256 << 20;

}  // namespace lab::grade
