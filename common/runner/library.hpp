#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace lab::runner {

/// A library does not load, or does not define the launcher.
struct missing_symbol : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The shared objects of the command line, each loaded when it is first needed: code of theirs runs on loading.
class libraries {
 public:
  explicit libraries(std::vector<std::string> paths) : paths_{std::move(paths)}, handles_(paths_.size()) {}

  /// @throws missing_symbol
  void* function(std::size_t library, const char* symbol);

  const std::string& path(std::size_t library) const { return paths_.at(library); }

 private:
  std::vector<std::string> paths_;
  std::vector<void*> handles_;
};

/// Calls void f(...) with the given slots; an array's slot takes the pointer of the same index.
void call(void* f, std::span<const protocol::slot> slots, std::span<void* const> pointers);

}  // namespace lab::runner
