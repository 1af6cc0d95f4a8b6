#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::sim {

/// Replacements in a source. Line numbers never change.
class edits {
 public:
  explicit edits(std::string_view source) : source_{source} {}

  /// Replaces [begin, end). Keeps line breaks, as continuation lines in a directive.
  void replace(std::size_t begin, std::size_t end, std::string text, bool directive = false);
  void insert(std::size_t at, std::string text) { all_.push_back({at, at, std::move(text)}); }
  bool empty() const { return all_.empty(); }
  std::string apply();

 private:
  struct edit {
    std::size_t begin, end;
    std::string text;
  };
  std::string_view source_;
  std::vector<edit> all_;
};

}  // namespace lab::sim
