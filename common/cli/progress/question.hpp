#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trace/profile.hpp"

namespace lab::cli {

/// A number that a student guesses before it is shown.
struct question {
  std::string text;  ///< which line, and what is asked; two lines
  std::string what;  ///< "load"
  std::string unit;  ///< "sectors per request"
  double measured = 0;
  std::string look;  ///< one sentence: what the measured number says, and what to look at
};

/// Two questions about a profile: the costliest access to global memory and, if there is one, the costliest to shared
/// memory; else another line that costs something else, or how many requests there are. None without any access.
/// @param source whose lines the questions quote
std::vector<question> questions_about(const judge::profile& p, const std::filesystem::path& source);

}  // namespace lab::cli
