#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "grade/job/row.hpp"
#include "support/process.hpp"

namespace lab::grade {

/// Another grader holds the log's lock.
struct busy_log : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The finished rows, one JSON document a line. Rows are only appended. An incomplete last line is ignored.
class record_log {
 public:
  /// Opens or creates the file and locks it. @throws busy_log if another grader holds the lock
  explicit record_log(const std::filesystem::path& file);

  /// Adds a row, and returns when it is on the disk.
  void add(const row& graded);

  /// The last row of each key. Rows with infra_error are not final and left out.
  const std::map<std::string, row>& rows() const { return rows_; }

 private:
  void read(const std::filesystem::path& file);

  lab::descriptor file_;
  std::map<std::string, row> rows_;
};

}  // namespace lab::grade
