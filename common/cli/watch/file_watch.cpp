#include "cli/watch/file_watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace lab::cli {

namespace {

// Watches the folder, because many editors save by replacing the file with another one.
lab::descriptor notices_of(const std::filesystem::path& folder) {
  if (std::getenv("LAB_WATCH_POLL")) return {};
  lab::descriptor notices{inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  if (notices && inotify_add_watch(notices.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) notices.close();
  return notices;
}

}  // namespace

bool file_watch::stamp::operator==(const stamp& other) const {
  return device == other.device && number == other.number && bytes == other.bytes && when.tv_sec == other.when.tv_sec &&
         when.tv_nsec == other.when.tv_nsec;
}

file_watch::file_watch(std::filesystem::path file) : file_{std::move(file)}, notices_{notices_of(file_.parent_path())} {
  read_stamp(last_);
}

bool file_watch::read_stamp(stamp& read) const {
  struct stat now {};
  if (stat(file_.c_str(), &now) != 0) return false;
  read = {now.st_dev, now.st_ino, now.st_size, now.st_mtim};
  return true;
}

bool file_watch::saved() {
  std::array<char, 4096> discarded{};
  while (notices_ && read(notices_.get(), discarded.data(), discarded.size()) > 0) {
  }
  stamp now{};
  if (!read_stamp(now) || now == last_) return false;
  last_ = now;
  return true;
}

}  // namespace lab::cli
