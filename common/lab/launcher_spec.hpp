#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/cost.hpp"
#include "lab/element.hpp"
#include "lab/gate.hpp"
#include "lab/random.hpp"
#include "lab/size.hpp"

namespace lab {

enum class parameter_role : std::uint8_t { input, output, in_out, scalar };

/// Where a launcher's pointers point: on the device, or, for a launcher that copies by itself, in host memory.
enum class memory_space : std::uint8_t { device, host };

/// One argument of one call, as the host sees it. An output has a shape but no bytes until somebody computes it.
struct argument {
  parameter_role role;
  element type;
  array_shape shape;
  std::vector<std::byte> bytes;

  std::size_t size_bytes() const { return static_cast<std::size_t>(count(shape)) * bytes_of(type); }
  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

using arguments = std::vector<argument>;

/// Runs on the host, reading inputs and writing outputs in place; outputs must have their bytes.
using host_function = std::function<void(arguments&)>;

/// All that the harness knows about one launcher, its types erased; made from a `launcher` by the card.
struct launcher_spec {
  std::string name;       ///< the function's name, "transpose"
  std::string signature;  ///< as a C++ declaration without names, for messages
  std::string symbol;     ///< what it is called in a shared object
  std::vector<std::string> parameters, axes;
  memory_space memory = memory_space::device;
  std::vector<problem_size> check_sizes, time_sizes;
  std::vector<gate> gates;
  tolerance allow;
  bool floating = false;  ///< some parameter is floating point, so cases come with lattice and with real inputs
  std::function<arguments(const problem_size&, random&)> make;
  std::function<problem_cost(const problem_size&)> cost;
  /// Why the launcher must refuse a size, empty if it must not. A case of such a size passes if the launcher returns,
  /// with an error of the CUDA runtime or without one, and has left every output as it was.
  std::function<std::string(const problem_size&)> refuses;
  host_function reference, one_thread, all_threads, fast;
};

/// The arguments of a case: what the lab makes of a size, a seed and a kind of inputs.
arguments drawn(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind);

/// Gives every output without bytes its bytes, all zero.
void allocate_outputs(arguments&);

}  // namespace lab
