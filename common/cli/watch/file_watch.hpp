#pragma once

#include <sys/types.h>

#include <filesystem>

#include "support/process.hpp"

namespace lab::cli {

/// Detects that a file was saved, whether the editor rewrites or replaces it. It compares the file's inode, size and
/// time. Notifications of the system (inotify) only make it faster: network drives send none, so it also polls.
class file_watch {
 public:
  explicit file_watch(std::filesystem::path file);

  /// The descriptor to poll, or -1 if the system sends no notifications.
  int descriptor() const { return notices_.get(); }
  /// The longest wait before the next call of saved().
  int patience_ms() const { return notices_ ? 500 : 200; }

  /// Whether the file was saved since the last call. Does not block. A missing file does not count as saved.
  bool saved();

 private:
  struct stamp {
    dev_t device = 0;
    ino_t number = 0;
    off_t bytes = 0;
    timespec when{};
    bool operator==(const stamp& other) const;
  };
  bool read_stamp(stamp& read) const;

  std::filesystem::path file_;
  lab::descriptor notices_;
  stamp last_{};
};

}  // namespace lab::cli
