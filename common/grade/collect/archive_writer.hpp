#pragma once

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct archive;

namespace lab::grade {

enum class archive_form { zip, tar_gz };

/// The form of an archive of this name: .zip, .tar.gz or .tgz. @throws usage_error for another ending
archive_form form_of(const std::filesystem::path& file);

/// Writes an archive. The file has its name only after close(); before, or if something throws, it is a .part.
/// @throws std::runtime_error if it cannot be written
class archive_writer {
 public:
  archive_writer(const std::filesystem::path& file, archive_form form);
  archive_writer(const archive_writer&) = delete;
  archive_writer& operator=(const archive_writer&) = delete;
  ~archive_writer();

  void add(const std::string& name, std::string_view text, bool program = false, std::time_t changed = 0);
  void close();

 private:
  void check(int status);

  struct free_archive {
    void operator()(archive* opened) const;
  };
  std::filesystem::path file_, part_;
  std::unique_ptr<archive, free_archive> archive_;
};

}  // namespace lab::grade
