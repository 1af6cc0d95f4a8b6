#pragma once

#include <sys/types.h>

#include <filesystem>

#include "support/process.hpp"

namespace lab::cli {

/// Notices when a file is saved, however the editor does that. The system's notices (inotify) only wake the waiting
/// program up sooner: where they are not to be had or never come (network drives), the file's stamp is looked at
/// anyhow.
class file_watch {
 public:
  explicit file_watch(std::filesystem::path file);

  /// What to poll for, or -1 if the system sends no notices.
  int descriptor() const { return notices_.get(); }
  /// How long to wait at most before the next look.
  int patience_ms() const { return notices_ ? 500 : 200; }

  /// Whether the file was saved since the last call. Never waits. A file that is missing has not been saved.
  bool saved();

 private:
  struct stamp {
    dev_t device = 0;
    ino_t number = 0;
    off_t bytes = 0;
    timespec when{};
    bool operator==(const stamp& other) const;
  };
  bool read_stamp(stamp& s) const;

  std::filesystem::path file_;
  lab::descriptor notices_;
  stamp last_{};
};

}  // namespace lab::cli
