#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grade/collect/submission_limits.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::grade {

/// What a student handed in for one lab: a text, or why there is none.
struct handed_in {
  std::string file{};  ///< where it was found, as the student called it
  std::string text{};
  std::string trouble{};  ///< empty if the text is good
};

struct submission {
  std::string student;    ///< the name of the folder or archive, made harmless and still unlike every other
  std::time_t time = 0;   ///< when the newest of its files, or the archive, was changed
  std::string trouble{};  ///< why nothing at all could be collected; else empty
  std::map<std::string, handed_in> labs{};  ///< by the lab's name; a lab that is missing was not handed in
};

/// The lab that a file is meant for: "05_x.cu" anywhere or "labs/05_x/kernel.cu"; empty for any other file.
std::string lab_of(const std::string& path, const std::vector<std::string>& labs);

/// Reads what the students handed in: one folder, .zip, .tar.gz, .tgz or .tar each. Follows no link, opens nothing but
/// regular files, and opens archives in the sandbox. @throws usage_error if `folder` is not a folder
std::vector<submission> collect(const std::filesystem::path& folder, const std::vector<std::string>& labs,
                                const judge::confinement& confine);

/// Adds a file of a student, or that it is a second one for the same lab.
void add(submission& s, const std::string& lab, handed_in what);

}  // namespace lab::grade
