#pragma once

#include <string>

namespace lab::judge {

/// A log of labcc with carets below the right columns. The host compiler reads launches in another form, so its columns
/// in their lines are wrong. Where the message quotes a word of the line, the caret goes below that word; elsewhere
/// column and caret are left out.
std::string with_columns_of_launches(const std::string& log);

}  // namespace lab::judge
