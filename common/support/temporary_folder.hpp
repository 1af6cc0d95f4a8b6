#pragma once

#include <filesystem>
#include <string>

#include "support/process.hpp"

namespace lab {

/// A new temporary folder, which is removed with this object. Other users may open paths in it, but not list it. It is
/// locked, so that remove_abandoned_folders() knows folders whose process was killed.
class temporary_folder {
 public:
  explicit temporary_folder(const std::string& purpose);
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  descriptor lock_;
};

/// Locks a file or folder while the descriptor is open, in whatever process. Empty if another process holds the lock.
descriptor lock_of(const std::filesystem::path& path);

/// Removes this user's temporary folders that no process uses any more; for root those of all users.
void remove_abandoned_folders();

}  // namespace lab
