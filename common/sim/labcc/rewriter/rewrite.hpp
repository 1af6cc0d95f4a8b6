#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab::sim {

/// A construct that cannot be rewritten, with its line.
struct rewrite_error : std::runtime_error {
  rewrite_error(std::size_t line, const std::string& what) : std::runtime_error{what}, line{line} {}
  std::size_t line;
};

/// Turns CUDA C++ into C++ for the simulator's headers, line for line; returns nothing if nothing changes. With
/// `mark_loops`, loops report their iterations to the tracer.
std::optional<std::string> rewrite(std::string_view source, bool mark_loops);

}  // namespace lab::sim
