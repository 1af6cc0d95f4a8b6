#include "sim/labcc/driver/held_messages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <iostream>

namespace lab::sim {

held_messages::held_messages() {
  std::cerr.flush();
  file_ = memfd_create("messages", MFD_CLOEXEC);
  if (file_ < 0) return;  // they are shown at once
  original_ = dup(STDERR_FILENO);
  if (original_ >= 0) dup2(file_, STDERR_FILENO);
}

held_messages::~held_messages() {
  std::cerr.flush();
  if (original_ >= 0) {
    dup2(original_, STDERR_FILENO);
    close(original_);
  }
  if (file_ < 0) return;
  char buffer[4096];
  lseek(file_, 0, SEEK_SET);
  for (ssize_t n; shown_ && (n = read(file_, buffer, sizeof buffer)) > 0;)
    if (write(STDERR_FILENO, buffer, static_cast<std::size_t>(n)) < 0) break;
  close(file_);
}

std::string held_messages::text() const {
  std::string all;
  if (!any()) return all;
  all.resize(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)));
  const ssize_t n = pread(file_, all.data(), all.size(), 0);
  all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return all;
}

bool held_messages::any() const {
  std::cerr.flush();
  return file_ >= 0 && lseek(file_, 0, SEEK_END) > 0;
}

}  // namespace lab::sim
