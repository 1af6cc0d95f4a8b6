#pragma once

#include <future>
#include <map>
#include <stop_token>
#include <string>

#include "build/build_request.hpp"

namespace lab::judge {

/// A compilation by nvcc that goes on beside other work, at the lowest priority, to learn the registers of each kernel.
class register_compilation {
 public:
  explicit register_compilation(build_request request);
  register_compilation(const register_compilation&) = delete;
  /// Stops the compilation if it still runs.
  ~register_compilation();

  /// Waits, then returns how many registers a thread of each kernel has. Empty where nvcc is missing or fails.
  const std::map<std::string, int>& registers() const { return compiled_.get(); }

 private:
  std::stop_source stop_{};
  std::shared_future<std::map<std::string, int>> compiled_;
};

}  // namespace lab::judge
