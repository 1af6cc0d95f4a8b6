#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"

namespace lab::judge {

/// A build of a kernel whose basic blocks count how often they run. g++ compiles it twice: with counters, and after a
/// run with the counts, which gives the instructions of the optimized code.
class counted_build {
 public:
  /// Compiles with counters into this folder, which must exist until the object ends.
  counted_build(const entry& lab, std::filesystem::path source, std::filesystem::path folder);

  const std::filesystem::path& library() const { return library_; }
  /// Why there is no library; empty if there is one.
  const std::string& problem() const { return problem_; }

  /// After a run of the library has ended: the file with its counts, which the next run does not change. Empty if the
  /// run left none.
  std::filesystem::path take_counts();

  /// Compiles with such counts, in any thread, and returns g++'s dump for read_profiles(); empty if that fails.
  std::string dump_with(const std::filesystem::path& counts) const;

  /// Compiler's options that decide what is counted.
  static const std::vector<std::string>& flags();

 private:
  std::vector<std::string> command(const std::vector<std::string>& more) const;

  const entry& lab_;
  std::filesystem::path source_, folder_, library_;
  std::string problem_;
  int taken_ = 0;
};

}  // namespace lab::judge
