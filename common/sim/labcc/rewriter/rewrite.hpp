#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab::sim {

/// A construct that no rewriting can save, with its line.
struct rewrite_error : std::runtime_error {
  rewrite_error(std::size_t line, const std::string& what) : std::runtime_error{what}, line{line} {}
  std::size_t line;
};

/// CUDA C++ as C++ against the simulator's headers, line for line; nothing when nothing had to change. `mark_loops`
/// also makes loops tell the tracer of their iterations.
std::optional<std::string> rewrite(std::string_view source, bool mark_loops);

}  // namespace lab::sim
