#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The extents of one problem in the order of the lab's axes, in elements: {2000, 5000} reads "2000x5000".
class problem_size {
 public:
  problem_size() = default;
  problem_size(std::initializer_list<int> extents) : extents_{extents} {}
  explicit problem_size(std::vector<int> extents) : extents_{std::move(extents)} {}

  int operator[](std::size_t axis) const { return extents_.at(axis); }
  std::size_t axes() const { return extents_.size(); }
  std::string name() const;
  friend bool operator==(const problem_size&, const problem_size&) = default;

  /// Reads "2000x5000"; nothing if the text is not positive integers joined by x.
  static std::optional<problem_size> parse(std::string_view text);

 private:
  std::vector<int> extents_;
};

}  // namespace lab
