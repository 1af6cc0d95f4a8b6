#pragma once

#include <utility>

#include "lab_sim/device.h"
#include "lab_sim/launch.h"

// Launches through API functions instead of <<<>>>.

namespace lab_sim {

template <class T>
using plain_type = std::remove_cv_t<std::remove_reference_t<T>>;

template <class... P, size_t... i>
cudaError_t launch_packed(void (*kernel)(P...), const config& where, void** arguments, std::index_sequence<i...>) {
  return launch(
      nullptr, [kernel](auto... a) { kernel(a...); }, [kernel](auto) { return reinterpret_cast<const void*>(kernel); },
      where, *static_cast<lab_sim::plain_type<P>*>(arguments[i])...);
}

/// Where an argument of this type lies in a buffer of arguments.
template <class T>
void* next_in_buffer(const char*& at) {
  const auto address = (reinterpret_cast<uintptr_t>(at) + alignof(T) - 1) / alignof(T) * alignof(T);
  at = reinterpret_cast<const char*>(address) + sizeof(T);
  return reinterpret_cast<void*>(address);
}

template <class... P>
cudaError_t launch_packed(void (*kernel)(P...), const config& where, void** arguments) {
  if (const char* at = static_cast<const char*>(where.packed)) {
    void* found[] = {next_in_buffer<plain_type<P>>(at)..., nullptr};
    return launch_packed(kernel, where, found, std::index_sequence_for<P...>{});
  }
  return launch_packed(kernel, where, arguments, std::index_sequence_for<P...>{});
}

/// Calls a kernel that is known by its address only.
using packed_launcher = cudaError_t (*)(const void* kernel, const config& where, void** arguments);
bool register_kernel(const void* kernel, packed_launcher launcher);
cudaError_t launch_address(const void* kernel, const config& where, void** arguments);

template <class T, class... P>
bool register_kernel(T, void (*kernel)(P...)) {
  const auto launcher = [](const void* k, const config& where, void** arguments) {
    return launch_packed(reinterpret_cast<void (*)(P...)>(const_cast<void*>(k)), where, arguments);
  };
  return register_kernel(reinterpret_cast<const void*>(kernel), launcher);
}

/// Reads the launch attributes. Refuses those that the simulator does not support.
cudaError_t read_config(const cudaLaunchConfig_t* given, config& where);

}  // namespace lab_sim

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = nullptr) {
  return lab_sim::launch_packed(kernel, {grid, block, shared, stream}, arguments);
}

template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        size_t shared = 0, cudaStream_t stream = nullptr) {
  lab_sim::config where{grid, block, shared, stream};
  where.cooperative = true;
  return lab_sim::launch_packed(kernel, where, arguments);
}

template <class... P, class... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* given, void (*kernel)(P...), Given&&... arguments) {
  lab_sim::config where{1, 1};
  if (const cudaError_t refused = lab_sim::read_config(given, where); refused != cudaSuccess) return refused;
  return lab_sim::launch(
      nullptr, [kernel](auto... a) { kernel(a...); }, [kernel](auto) { return reinterpret_cast<const void*>(kernel); },
      where, lab_sim::plain_type<P>(static_cast<Given&&>(arguments))...);
}
