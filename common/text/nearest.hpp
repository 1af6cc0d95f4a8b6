#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The word that was probably meant: it differs by at most a third of its letters, where two swapped neighbours count
/// as one. Empty if there is none.
std::string nearest(std::string_view mistyped, const std::vector<std::string>& words);

/// "; did you mean "check"?", or nothing if no word is near.
std::string did_you_mean(std::string_view mistyped, const std::vector<std::string>& words);

}  // namespace lab
