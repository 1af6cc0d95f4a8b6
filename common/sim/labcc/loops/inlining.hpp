#pragma once

#include <set>
#include <string>
#include <string_view>

namespace lab::sim::loops {

/// A source in which kernels contain the functions that wait at barriers, instead of calling them.
struct inlined {
  std::string text;
  std::set<std::size_t> kernels;  // that changed; the first kernel of the source is 0
};

/// Expands these calls in all kernels but `left`, line for line. A kernel stays as it is if one of its calls cannot be
/// expanded.
inlined inline_waiting_functions(std::string_view source, const std::set<std::size_t>& left);

}  // namespace lab::sim::loops
