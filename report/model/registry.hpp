#pragma once

#include <vector>

namespace variants {

/// A launcher of one variant. The sources of variants.py register theirs.
struct registered {
  int number;  // negative: the unchanged solution
  const char* launcher;
  void* function;
};

inline std::vector<registered>& all() {
  static std::vector<registered> known;
  return known;
}

struct registration {
  registration(int number, const char* launcher, void* function) { all().push_back({number, launcher, function}); }
};

}  // namespace variants
