#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "grade/job/row.hpp"
#include "support/process.hpp"

namespace lab::grade {

/// Another grader holds the log.
struct busy_log : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The rows so far, one JSON document a line, only ever added to. A line that a crash cut off is passed over.
class record_log {
 public:
  /// Opens or makes the file, and keeps every other grader away from it. @throws busy_log if one is at work
  explicit record_log(const std::filesystem::path& file);

  /// Adds a row; it is on the disk when this returns.
  void add(const row& r);

  /// The final rows by key; of several the last. infra_error is not final.
  const std::map<std::string, row>& rows() const { return rows_; }

 private:
  void read(const std::filesystem::path& file);

  lab::descriptor file_;
  std::map<std::string, row> rows_;
};

}  // namespace lab::grade
