#pragma once

#include <string>
#include <vector>

namespace lab::grade {

/// What the name of an entry of the folder of submissions says. `because` is empty if it belongs to a student.
struct entry_name {
  std::string student{};
  std::string file{};     ///< of a single .cu file: the name that the student gave it; else empty
  std::string because{};  ///< why it is not graded
  std::string unread{};   ///< why nothing of this student can be read from it
};

/// A folder or an archive is named after its student. A single file must be named as Canvas exports it:
/// STUDENT_12345_67890_FILE.cu, perhaps with LATE before the numbers.
entry_name read_entry_name(const std::string& name, bool folder);

/// The lab of a file called "05_x.cu", "lab05.cu" or the like (in any folder), or "labs/05_x/kernel.cu"; of "kernel.cu"
/// if there is one lab only. Empty for any other file.
std::string lab_of(const std::string& path, const std::vector<std::string>& labs);

}  // namespace lab::grade
