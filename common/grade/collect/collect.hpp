#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grade/collect/submission_limits.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::grade {

/// The file that a student handed in for one lab, or the reason why it cannot be graded.
struct handed_in {
  std::string file{};  ///< its path, as the student named it
  std::string text{};
  std::string trouble{};  ///< empty if the file can be graded
};

struct submission {
  std::string student;                      ///< the folder's or archive's name, sanitized and unique
  std::time_t time = 0;                     ///< the newest modification time of its sources, or the archive's
  std::string trouble{};                    ///< why nothing could be collected; else empty
  std::map<std::string, handed_in> labs{};  ///< by the lab's name; only labs that were handed in
};

/// The lab of a file called "05_x.cu" (in any folder) or "labs/05_x/kernel.cu"; empty for any other file.
std::string lab_of(const std::string& path, const std::vector<std::string>& labs);

/// Reads every student's submission: a folder, .zip, .tar.gz, .tgz or .tar. Follows no link, opens only regular files,
/// and opens archives only in the sandbox. @throws usage_error if `folder` is not a folder
std::vector<submission> collect(const std::filesystem::path& folder, const std::vector<std::string>& labs,
                                const judge::confinement& confine);

/// Adds a file to a submission. A second file for the same lab is an error of the student.
void add(submission& collected, const std::string& lab, handed_in file);

}  // namespace lab::grade
