#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/cost.hpp"
#include "lab/element.hpp"
#include "lab/gate.hpp"
#include "lab/random_inputs.hpp"
#include "lab/size.hpp"

namespace lab {

enum class parameter_role : std::uint8_t { input, output, in_out, scalar };

/// The memory of a launcher's pointers: the device's, or the host's for a launcher that copies its arrays itself.
enum class memory_space : std::uint8_t { device, host };

/// One argument of one call on the host. An output has a shape, but no bytes until it is computed.
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

/// Computes on the host: reads inputs and writes outputs, which must have their bytes.
using host_function = std::function<void(arguments&)>;

/// A launcher without its C++ types, converted from a `launcher`.
struct launcher_spec {
  std::string name;       ///< the function's name, "transpose"
  std::string signature;  ///< as a C++ declaration without names, for messages
  std::string symbol;     ///< its mangled name in a shared object
  std::vector<std::string> parameters, axes;
  memory_space memory = memory_space::device;
  std::vector<problem_size> check_sizes, time_sizes;
  problem_size drawn_up_to{}, count_at{};
  bool traces_large_sizes = false;  ///< a check does; on the simulator these kernels run no faster without a trace
  std::vector<gate> gates;
  std::string improves_on{};  ///< a launcher of the same lab with the same parameters
  tolerance allow;
  bool floating =
      false;  ///< it has a floating-point parameter, so there are cases with lattice inputs and with real inputs
  std::function<arguments(const problem_size&, random&)> make;
  /// The function behind `make`, if it is a plain one: launchers that have the same draw the same arguments.
  void (*drawn_by)() = nullptr;
  std::function<problem_cost(const problem_size&)> cost;
  /// Why the launcher must refuse a size; empty if it must not. A case of such a size passes if the launcher returns,
  /// has changed no output, and has launched no kernel that CUDA refused or that failed. The error of another call may
  /// remain, such as that of a limit that cannot be raised.
  std::function<std::string(const problem_size&)> refuses;
  /// Why there is no problem of a size, such as a filter larger than its image; empty if there is one.
  std::function<std::string(const problem_size&)> impossible;
  host_function reference, one_thread, all_threads, fast;
};

/// Whether the launcher must refuse this size.
bool refused(const launcher_spec& launcher, const problem_size& size);

/// Whether there is a problem of this size that the launcher must not refuse.
bool solvable(const launcher_spec& launcher, const problem_size& size);

/// Why the launcher has no problem of this size; empty if it has one.
std::string why_impossible(const launcher_spec& launcher, const problem_size& size);

/// What one run at this size costs at least; all zero for a launcher that does not say.
problem_cost cost_at(const launcher_spec& launcher, const problem_size& size);

/// The kinds of inputs that cases are made of: integers have one kind.
std::vector<inputs> kinds_of(const launcher_spec& launcher);

/// The arguments of a case, drawn from a seed.
/// @throws usage_error if there is no problem of this size
arguments drawn(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind);

/// Allocates every output and fills it with zeros.
void allocate_outputs(arguments&);

}  // namespace lab
