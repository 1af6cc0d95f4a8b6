#pragma once

#include <elfutils/libdwfl.h>

#include <mutex>

namespace lab::sim {

/// libdw's view of the program and of all loaded libraries, for one caller at a time.
struct library_view {
  std::unique_lock<std::mutex> lock;
  Dwfl* all;
};
library_view view_libraries();

}  // namespace lab::sim
