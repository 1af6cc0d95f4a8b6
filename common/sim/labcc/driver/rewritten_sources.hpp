#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Rewritten copies of sources, and of the headers that they include, in a folder that mirrors the file system.
class rewritten_sources {
 public:
  rewritten_sources(const options& wanted, fs::path folder) : wanted_{wanted}, folder_{std::move(folder)} {}

  /// The copy of one source to compile. Throws rewrite errors as usage errors that name file and line.
  fs::path add(const fs::path& source);
  /// -iquote and -I options under which the copies find each other, then the originals.
  std::vector<std::string> include_flags() const;

  /// Is there anything in the sources that cannot be had, unless the preprocessor skips it?
  bool refuse() const { return refuses_; }
  /// Names the originals instead of the copies in a file of dependencies for make; an empty name is none.
  void correct_dependencies(const fs::path& file) const;

 private:
  struct header {
    fs::path path;
    std::string text;
    bool changed;
  };
  void visit(const fs::path& file, std::vector<header>& found);
  fs::path resolve(const std::string& name, const fs::path& folder) const;
  fs::path mirror(const fs::path& folder) const;
  fs::path write(const fs::path& original, const std::string& text) const;

  const options& wanted_;
  fs::path folder_;
  std::set<fs::path> seen_, quote_;
  bool mirrored_ = false, refuses_ = false;
};

}  // namespace lab::sim
