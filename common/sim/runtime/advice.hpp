#pragma once

#include <string_view>

namespace lab::sim {

/// One sentence that says what to do about a hazard of this kind in this memory; empty for an unknown kind.
std::string_view advice_on(std::string_view kind, std::string_view space);

}  // namespace lab::sim
