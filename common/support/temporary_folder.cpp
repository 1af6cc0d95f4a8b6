#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <stdexcept>

namespace lab {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "kernel-lab-scratch-";  // no folder that somebody else may have made begins so
constexpr std::time_t youngest_s = 10;                      // a new folder is not locked yet

// Root's sandbox gives a folder to another user.
bool may_be_abandoned(const fs::path& folder) {
  struct stat status {};
  return folder.filename().string().starts_with(prefix) && lstat(folder.c_str(), &status) == 0 &&
         S_ISDIR(status.st_mode) && (geteuid() == 0 || status.st_uid == geteuid()) &&
         std::time(nullptr) - status.st_mtime > youngest_s;
}

}  // namespace

descriptor lock_of(const fs::path& path) {
  descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  return file && flock(file.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(file) : descriptor{};
}

temporary_folder::temporary_folder(const std::string& purpose) {
  std::string name = (fs::temp_directory_path() / (std::string{prefix} + purpose + "-XXXXXX")).string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a temporary folder " + name);
  path_ = name;
  lock_ = lock_of(path_);
  using fs::perms;
  fs::permissions(path_, perms::owner_all | perms::group_exec | perms::others_exec);
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void remove_abandoned_folders() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(ignored), ignored))
    if (may_be_abandoned(entry.path()))
      if (const auto lock = lock_of(entry.path())) fs::remove_all(entry.path(), ignored);
}

}  // namespace lab
