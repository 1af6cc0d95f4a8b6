#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "support/process.hpp"

namespace lab {

/// A shared file without a name, of a size that nobody can change any more, so that reading it cannot fail.
class memory_file {
 public:
  /// Zeros that the runner may overwrite. @throws std::system_error
  static memory_file writable(std::size_t bytes);

  /// What `fill` writes; afterwards nobody, the judge included, can change it. @throws std::system_error
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

/// Bytes that no one else can see.
struct private_copy {
  std::unique_ptr<std::byte[]> data;
  std::size_t bytes = 0;
  std::span<const std::byte> view() const { return {data.get(), bytes}; }
};

/// Copies a shared file, which its other owner may be writing at this moment. @throws std::system_error
private_copy copy_of(const memory_file& f);

}  // namespace lab
