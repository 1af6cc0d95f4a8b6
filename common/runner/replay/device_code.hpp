#pragma once

#include <cuda.h>

#include <map>
#include <string>
#include <vector>

#include "protocol/launch_recording.hpp"

namespace lab::runner {

/// A cubin that is newly loaded, so that its global variables have their initial values. @throws driver_error
class device_code {
 public:
  explicit device_code(const std::string& path);
  device_code(const device_code&) = delete;
  device_code& operator=(const device_code&) = delete;
  ~device_code();

  struct kernel {
    std::string name;
    CUfunction function = nullptr;
    std::vector<std::size_t> offsets{};  ///< of its parameters, in bytes
    std::size_t parameter_bytes = 0;
  };
  kernel find(const std::string& name) const;

  /// The address of a global variable of at least `bytes` bytes. @throws driver_error, also if it is smaller
  std::byte* global(const std::string& name, std::uint64_t bytes) const;

 private:
  CUmodule module_ = nullptr;
};

/// Sets one of the function attributes in replay::settable. @throws driver_error
void set_attribute(const device_code::kernel& kernel, std::uint32_t which, std::uint64_t value);

/// Launches a kernel in a stream, with the parameters at `parameters`. @throws driver_error
void launch(const device_code::kernel& kernel, const replay::operation& op, std::byte* parameters, CUstream stream);

}  // namespace lab::runner
