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

/// The shared objects on the command line. Each is loaded on first use, because loading runs its constructors.
class library_set {
 public:
  explicit library_set(std::vector<std::string> paths) : paths_{std::move(paths)}, handles_(paths_.size()) {}

  /// The address of a function of a library. @throws missing_symbol
  void* function(std::size_t library, const char* symbol);

  const std::string& path(std::size_t library) const { return paths_.at(library); }

 private:
  std::vector<std::string> paths_;
  std::vector<void*> handles_;
};

/// Calls void launcher(...) with the arguments in `slots`; an array's slot takes the pointer of the same index.
void call_launcher(void* launcher, std::span<const protocol::slot> slots, std::span<void* const> pointers);

}  // namespace lab::runner
