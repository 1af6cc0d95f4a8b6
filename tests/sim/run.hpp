#pragma once

#include <filesystem>
#include <string>

namespace lab::test {

struct outcome {
  int status;  // exit status, or 128 + the signal
  std::string out;
};

/// Runs a shell command; `out` holds both its streams.
outcome run(const std::string& command);

/// A fresh folder that goes when the test ends.
class folder {
 public:
  folder();
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path); }
  std::filesystem::path write(const std::string& name, const std::string& text) const;
  std::filesystem::path path;
};

std::string contents(const std::filesystem::path& file);

}  // namespace lab::test
