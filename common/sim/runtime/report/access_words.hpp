#pragma once

#include "sim/runtime/traffic/access_sites.hpp"

namespace lab::sim::trace {

/// The words of operations and memory spaces in reports.
constexpr const char* word(operation op) {
  constexpr const char* words[] = {"load", "store", "atomic"};
  return words[static_cast<int>(op)];
}
constexpr const char* word(space where) {
  constexpr const char* words[] = {"global", "shared", "constant"};
  return words[static_cast<int>(where)];
}

}  // namespace lab::sim::trace
