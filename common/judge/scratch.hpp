#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace lab::judge {

/// A folder of our own for temporary files, gone with this object.
class scratch {
 public:
  explicit scratch(const std::string& purpose)
      : path_{std::filesystem::temp_directory_path() / ("lab-" + purpose + "-" + std::to_string(getpid()))} {
    std::filesystem::create_directories(path_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lab::judge
