#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "support/process.hpp"

namespace lab {

/// An anonymous shared file whose size is sealed, so that reading it cannot fail.
class memory_file {
 public:
  /// A file of zeros that the runner may write. @throws std::system_error
  static memory_file writable(std::size_t bytes);

  /// A file with the contents that `fill` writes. Afterwards no process can write it, the judge included. @throws
  /// std::system_error
  static memory_file sealed(std::size_t bytes, const std::function<void(std::span<std::byte>)>& fill);

  int get() const { return file_.get(); }
  std::size_t size_bytes() const { return bytes_; }

  /// A sealed file's contents.
  std::span<const std::byte> view() const { return {view_.get(), bytes_}; }

 private:
  struct unmap {
    std::size_t bytes = 0;
    void operator()(const std::byte* at) const;
  };
  explicit memory_file(std::size_t bytes);

  descriptor file_;
  std::size_t bytes_;
  std::unique_ptr<const std::byte, unmap> view_;
};

/// Bytes that no other process can access.
struct private_copy {
  std::unique_ptr<std::byte[]> data;
  std::size_t bytes = 0;
  std::span<const std::byte> view() const { return {data.get(), bytes}; }
};

/// Copies a shared file; the other process may still write it. @throws std::system_error
private_copy copy_of(const memory_file& file);

}  // namespace lab
