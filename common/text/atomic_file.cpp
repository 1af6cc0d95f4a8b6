#include "text/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "support/process.hpp"

namespace lab {

namespace fs = std::filesystem;

namespace {

std::string_view remedy_for(std::error_code why) {
  switch (why.value()) {
    case ENOSPC:
    case EDQUOT:
      return "Next: free some space on this disk, then repeat the command. Files that were saved before are unchanged.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Next: make that folder writable, or work in a copy that belongs to you.";
    default:
      return "Next: correct that, then repeat the command.";
  }
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// The text is on the disk when this returns no error.
std::error_code write_all(const fs::path& file, const std::string& text, bool secret) {
  const descriptor out{open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, secret ? 0600 : 0644)};
  if (!out) return last_error();
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = write(out.get(), text.data() + done, text.size() - done);
    if (put < 0) return last_error();
    done += static_cast<std::size_t>(put);
  }
  return fsync(out.get()) == 0 ? std::error_code{} : last_error();
}

}  // namespace

write_error::write_error(const fs::path& file, std::error_code why)
    : std::system_error{why},
      text_{fmt::format("cannot write {}: {}\n{}", file.string(), why.message(), remedy_for(why))} {}

void write_atomically(const fs::path& file, const std::string& text, bool secret) {
  std::error_code why;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), why);
  const fs::path fresh = fmt::format("{}.{}.tmp", file.string(), getpid());
  if (!why) why = write_all(fresh, text, secret);
  if (!why) fs::rename(fresh, file, why);
  if (!why) return;
  std::error_code ignored;
  fs::remove(fresh, ignored);
  throw write_error(file, why);
}

}  // namespace lab
