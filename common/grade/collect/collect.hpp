#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grade/collect/submission_limits.hpp"
#include "lab/verdict.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::grade {

/// Why something that a student handed in cannot be graded; without a message, it can.
struct collect_trouble {
  std::string message{};
  verdict_kind verdict = verdict_kind::collect_error;

  explicit operator bool() const { return !message.empty(); }
};

/// An archive or a file that is encrypted, damaged or closed to the grader.
inline collect_trouble unreadable(std::string message) { return {std::move(message), verdict_kind::unreadable}; }

/// The file that a student handed in for one lab, or the reason why it cannot be graded.
struct handed_in {
  std::string file{};  ///< its path, as the student named it
  std::string text{};
  collect_trouble trouble{};
};

struct submission {
  std::string student;                      ///< from the name of its folder, archive or files; sanitized and unique
  std::time_t time = 0;                     ///< the newest modification time of its sources, or the archive's
  collect_trouble trouble{};                ///< why an entry of the student was not collected
  std::map<std::string, handed_in> labs{};  ///< by the lab's name; only labs that were handed in
  std::vector<std::string> others{};        ///< the first names of files that belong to no lab
};

/// An entry of the folder of submissions that belongs to no student, or that could not be read beside another one.
struct left_out {
  std::string entry, because;
};

struct collected_class {
  std::vector<submission> students{};
  std::vector<left_out> not_graded{};
};

/// Reads the submissions of all students: folders, archives, and single files as Canvas exports them. What one student
/// handed in twice is joined. Follows no link, opens only regular files, and opens archives only in the sandbox. The
/// entry that holds `reports` is left out. @throws usage_error if `folder` is not a folder
collected_class collect(const std::filesystem::path& folder, const std::vector<std::string>& labs,
                        const judge::confinement& confine, const std::filesystem::path& reports = {});

/// Adds a file to a submission. A second file for the same lab is an error of the student.
void add(submission& collected, const std::string& lab, handed_in file);

/// Remembers a file that belongs to no lab.
void add_other(submission& collected, const std::string& file);

}  // namespace lab::grade
