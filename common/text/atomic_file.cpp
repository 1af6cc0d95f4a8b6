#include "text/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "support/process.hpp"

namespace lab {

void write_atomically(const std::filesystem::path& file, const std::string& text, bool secret) {
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  const auto fail = [&] { throw std::system_error(errno, std::generic_category(), "cannot write " + file.string()); };
  const std::filesystem::path fresh = fmt::format("{}.{}.tmp", file.string(), getpid());
  descriptor out{open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, secret ? 0600 : 0644)};
  if (!out) fail();
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = write(out.get(), text.data() + done, text.size() - done);
    if (put < 0) fail();
    done += static_cast<std::size_t>(put);
  }
  if (fsync(out.get()) != 0) fail();
  std::filesystem::rename(fresh, file);
}

}  // namespace lab
