#pragma once

#include <string>
#include <string_view>

// Every text of a student or a compiler passes through here on its way into a report. No other code escapes text.
namespace lab::sanitize {

/// UTF-8 of at most `most` bytes. Invalid bytes, control characters except line ends and tabs, invisible characters and
/// marks of writing direction become U+FFFD.
std::string plain(std::string_view text, std::size_t most = 16384);

/// The same on one line.
std::string line(std::string_view text, std::size_t most = 400);

/// A quoted CSV cell that no spreadsheet evaluates as a formula.
std::string csv(std::string_view text);

/// Text for HTML or XML, between tags or in a quoted attribute.
std::string markup(std::string_view text);

/// Text for the log of a CI service, where `::` and `##[` would begin a command.
std::string log(std::string_view text);

/// A file name of letters, digits, `.`, `_` and `-`. A changed name ends with `~` and a fingerprint of the original.
std::string file_name(std::string_view text);

}  // namespace lab::sanitize
