#pragma once

#include <string>
#include <string_view>

// Everything that a student or a compiler wrote passes through here on its way into a report. There is no other
// escaper.
namespace lab::sanitize {

/// UTF-8 without control characters (but line ends and tabs) and without marks that reverse the reading direction; at
/// most `most` bytes. What is not UTF-8 becomes a question mark in a diamond.
std::string plain(std::string_view text, std::size_t most = 16384);

/// The same in one line.
std::string line(std::string_view text, std::size_t most = 400);

/// A quoted CSV cell that no spreadsheet takes for a formula.
std::string csv(std::string_view text);

/// Text between tags or in a quoted attribute of HTML or XML.
std::string markup(std::string_view text);

/// Plain text for the log of a continuous-integration service: `::` and `##[` begin no command there.
std::string log(std::string_view text);

/// A name for a folder: letters, digits, `.`, `_` and `-`; where that changes the name, with a mark of the original.
std::string file_name(std::string_view text);

}  // namespace lab::sanitize
