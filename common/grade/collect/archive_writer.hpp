#pragma once

#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.hpp"

namespace lab::grade {

enum class archive_form { zip, tar_gz };

/// The form of an archive of this name: .zip, .tar.gz or .tgz. @throws usage_error for another ending
archive_form form_of(const std::filesystem::path& file);

/// Writes an archive, by programs that every system or every checkout has: an installed `lab` has no library for it.
/// The file has its name only after close(). @throws std::runtime_error if it cannot be written
class archive_writer {
 public:
  archive_writer(const std::filesystem::path& file, archive_form form);
  archive_writer(const archive_writer&) = delete;
  archive_writer& operator=(const archive_writer&) = delete;
  ~archive_writer();

  void add(const std::string& name, std::string_view text, bool program = false, std::time_t changed = 0);
  void close();

 private:
  std::vector<std::string> names() const;
  std::vector<std::string> command(const std::filesystem::path& list) const;

  std::filesystem::path file_, part_;
  archive_form form_;
  temporary_folder folder_{"archive"};
  std::filesystem::path files_{folder_.path() / "files"};
};

}  // namespace lab::grade
