#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace lab {

/// A file cannot be written. The message names the path, the reason and the remedy.
class write_error : public std::system_error {
 public:
  write_error(const std::filesystem::path& file, std::error_code why);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Replaces a file in one step and creates its folder. The new text is on the disk when this returns. With `secret`
/// only the owner can read the file. If it fails, the old file is unchanged and nothing else is left behind.
/// @throws write_error
void write_atomically(const std::filesystem::path& file, const std::string& text, bool secret = false);

}  // namespace lab
