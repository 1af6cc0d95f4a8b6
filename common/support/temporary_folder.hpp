#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace lab {

/// A new folder for temporary files, gone with this object; others may pass through it but not look around.
class temporary_folder {
 public:
  explicit temporary_folder(const std::string& purpose) {
    std::string name = (std::filesystem::temp_directory_path() / ("lab-" + purpose + "-XXXXXX")).string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder like " + name);
    path_ = name;
    using std::filesystem::perms;
    std::filesystem::permissions(path_, perms::owner_all | perms::group_exec | perms::others_exec);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lab
