#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/labcc/analysis/functions.hpp"
#include "sim/labcc/driver/blamed_kernels.hpp"
#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Whether these options let kernels become loops over the threads of a block.
bool wants_thread_loops(const options& wanted);

/// Rewritten copies of sources, and of the headers that they include, in a folder that mirrors the file system.
class rewritten_sources {
 public:
  /// `left`: kernels that keep their usual form.
  rewritten_sources(const options& wanted, fs::path folder, const some_kernels& left = {})
      : wanted_{wanted}, folder_{std::move(folder)}, left_{left} {}

  /// The rewritten copy of one source. Throws a usage_error with file and line if it cannot be rewritten.
  fs::path add(const fs::path& source);
  /// -iquote and -I options under which the copies find each other, then the originals. A plain C++ file gets the
  /// originals alone.
  std::vector<std::string> include_flags(bool with_copies) const;

  /// -l options for the host libraries whose headers the sources include.
  const std::set<std::string>& libraries() const { return libraries_; }

  /// Whether kernels became loops over the threads of a block.
  bool has_thread_loops() const { return loops_; }
  /// The kernels of the files in which some did.
  const kernels_of_files& kernels() const { return kernels_; }
  /// Whether the sources contain an unsupported construct, which the preprocessor may still skip.
  bool refuse() const { return refuses_; }
  /// Names the originals instead of the copies in a dependency file for make. Does nothing for an empty path.
  void correct_dependencies(const fs::path& file) const;

 private:
  struct header {
    fs::path path;
    std::string text;
    bool changed;
  };
  std::string why_not(const std::string& header);
  void visit(const fs::path& file, std::vector<header>& found);
  void read_headers(const fs::path& file, std::set<fs::path>& seen);
  fs::path resolve(const std::string& name, const fs::path& folder) const;
  fs::path mirror(const fs::path& folder) const;
  fs::path write(const fs::path& original, const std::string& text) const;

  const options& wanted_;
  fs::path folder_, cccl_;
  std::set<fs::path> seen_, quote_;
  std::set<std::string> libraries_;
  bool mirrored_ = false, refuses_ = false, loops_ = false;
  loops::hidden_code elsewhere_;  // what code of the headers does
  some_kernels left_;
  kernels_of_files kernels_;
};

}  // namespace lab::sim
