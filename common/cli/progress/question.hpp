#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trace/profile.hpp"

namespace lab::cli {

/// A question about a measured number, which a student answers before seeing it.
struct question {
  std::string text;  ///< the source line and the question, in two lines
  std::string what;  ///< "load"
  std::string unit;  ///< "sectors per request"
  double measured = 0;
  std::string look;  ///< one sentence: the meaning of the measured number and what to look at
};

/// Two questions about a profile. The first is about the most expensive access to global memory, the second about the
/// most expensive access to shared memory. Without shared memory, the second is about a line with another cost or about
/// the number of requests. Empty if the kernel accesses no memory. @param source the file to quote
std::vector<question> questions_about(const judge::profile& profile, const std::filesystem::path& source);

}  // namespace lab::cli
