#include "sim/labcc/rewriter/edits.hpp"

#include <algorithm>

namespace lab::sim {

void edits::replace(std::size_t begin, std::size_t end, std::string text, bool directive) {
  const auto lines = std::ranges::count(source_.substr(begin, end - begin), '\n');
  for (auto i = lines; i > 0; --i) text += directive ? "\\\n" : "\n";
  all_.push_back({begin, end, std::move(text)});
}

std::string edits::apply() {
  std::ranges::stable_sort(all_, {}, &edit::begin);
  std::string result;
  std::size_t at = 0;
  for (const auto& e : all_) {
    result += source_.substr(at, e.begin - at);
    result += e.text;
    at = e.end;
  }
  return result += source_.substr(at);
}

}  // namespace lab::sim
