#include "support/memory_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace lab {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Every page will be used, and one call maps them in a fraction of the time of a fault for each.
std::byte* map(int file, std::size_t bytes, int protection) {
  void* address = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, file, 0);
  if (address == MAP_FAILED) fail("mapping a shared file");
  return static_cast<std::byte*>(address);
}

// Between fork and exec a child of another thread holds all mappings of this process, and a mapped file cannot be
// sealed.
void seal(int file, int seals) {
  for (int tries = 0; fcntl(file, F_ADD_SEALS, seals) != 0; ++tries) {
    if (errno != EBUSY || tries == 1000) fail("sealing a shared file");
    usleep(2000);
  }
}

}  // namespace

void memory_file::unmap::operator()(const std::byte* address) const { munmap(const_cast<std::byte*>(address), bytes); }

memory_file::memory_file(std::size_t bytes)
    : file_{memfd_create("lab", MFD_CLOEXEC | MFD_ALLOW_SEALING)}, bytes_{bytes}, view_{nullptr, unmap{bytes}} {
  if (!file_) fail("making a shared file");
  if (ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) fail("making room in a shared file");
}

memory_file memory_file::writable(std::size_t bytes) {
  memory_file file{bytes};
  seal(file.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

memory_file memory_file::sealed(std::size_t bytes, const std::function<void(std::span<std::byte>)>& fill) {
  memory_file file{bytes};
  {
    // A file with a writable mapping cannot be sealed against writing.
    const std::unique_ptr<std::byte, unmap> open{map(file.get(), bytes, PROT_READ | PROT_WRITE), unmap{bytes}};
    fill({open.get(), bytes});
  }
  seal(file.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  file.view_ = {map(file.get(), bytes, PROT_READ), unmap{bytes}};
  return file;
}

private_copy copy_of(const memory_file& file) {
  private_copy copy{std::make_unique_for_overwrite<std::byte[]>(file.size_bytes()), file.size_bytes()};
  for (std::size_t done = 0; done < copy.bytes;) {
    const ssize_t got = pread(file.get(), copy.data.get() + done, copy.bytes - done, static_cast<off_t>(done));
    if (got <= 0) fail("reading a shared file");
    done += static_cast<std::size_t>(got);
  }
  return copy;
}

}  // namespace lab
