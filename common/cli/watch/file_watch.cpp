#include "cli/watch/file_watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace lab::cli {

namespace {

// The folder is watched: many editors save by putting another file in the old one's place.
lab::descriptor notices_of(const std::filesystem::path& folder) {
  if (std::getenv("LAB_WATCH_POLL")) return {};
  lab::descriptor d{inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  if (d && inotify_add_watch(d.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) d.close();
  return d;
}

}  // namespace

bool file_watch::stamp::operator==(const stamp& o) const {
  return device == o.device && number == o.number && bytes == o.bytes && when.tv_sec == o.when.tv_sec &&
         when.tv_nsec == o.when.tv_nsec;
}

file_watch::file_watch(std::filesystem::path file) : file_{std::move(file)}, notices_{notices_of(file_.parent_path())} {
  read_stamp(last_);
}

bool file_watch::read_stamp(stamp& s) const {
  struct stat now {};
  if (stat(file_.c_str(), &now) != 0) return false;
  s = {now.st_dev, now.st_ino, now.st_size, now.st_mtim};
  return true;
}

bool file_watch::saved() {
  std::array<char, 4096> forgotten{};
  while (notices_ && read(notices_.get(), forgotten.data(), forgotten.size()) > 0) {
  }
  stamp now{};
  if (!read_stamp(now) || now == last_) return false;
  last_ = now;
  return true;
}

}  // namespace lab::cli
