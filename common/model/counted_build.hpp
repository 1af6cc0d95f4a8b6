#pragma once

#include <filesystem>
#include <string>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "model/kernel_profile.hpp"

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

  /// After a run of the library has ended. Empty if it left no counts.
  std::vector<kernel_profile> profiles(const std::vector<line_access>& lines) const;

 private:
  std::vector<std::string> command(const std::vector<std::string>& more) const;

  const entry& lab_;
  std::filesystem::path source_, folder_, library_;
  std::string problem_;
};

}  // namespace lab::judge
