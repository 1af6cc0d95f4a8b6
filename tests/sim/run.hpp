#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

/// The folder of rewritten sources that the messages of a build with --keep name last.
std::string copies_of(const std::string& messages);

std::string contents(const std::filesystem::path& file);

/// A program that labcc compiled with --trace.
class traced_program {
 public:
  explicit traced_program(const std::filesystem::path& source);
  /// Runs it, with variables such as "LAB_SIM_SEED=5" in its environment.
  std::string report(const std::string& settings = "") const;

 private:
  const folder scratch_;
  const std::string binary_ = (scratch_.path / "program").string(), report_ = (scratch_.path / "report.json").string();
};

inline std::string traced(const std::filesystem::path& source) { return traced_program{source}.report(); }

/// The .cu files of a folder by name; or every fourth of them, from the first, second, third or fourth on, since each
/// takes a while to compile.
std::vector<std::filesystem::path> sources(const std::string& folder);
std::vector<std::filesystem::path> quarter(const std::string& folder, std::size_t first);

}  // namespace lab::test
