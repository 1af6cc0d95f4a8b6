#pragma once

#include <cuda.h>

#include <map>
#include <string>
#include <vector>

#include "protocol/launch_recording.hpp"

namespace lab::runner {

/// A compiled file of device code, loaded anew: its variables hold what the file says. @throws driver_error
class device_code {
 public:
  explicit device_code(const std::string& path);
  device_code(const device_code&) = delete;
  device_code& operator=(const device_code&) = delete;
  ~device_code();

  struct kernel {
    std::string name;
    CUfunction function = nullptr;
    std::vector<std::size_t> offsets{};  ///< of its parameters
    std::size_t parameter_bytes = 0;
  };
  kernel find(const std::string& name) const;

  /// The address of a global variable. @throws driver_error also if it is smaller than `bytes`
  std::byte* global(const std::string& name, std::uint64_t bytes) const;

 private:
  CUmodule module_ = nullptr;
};

/// Sets one of the attributes in replay::settable. @throws driver_error
void set_attribute(const device_code::kernel& k, std::uint32_t which, std::uint64_t value);

/// Puts a launch, its parameters at `parameters`, into a stream.
void launch(const device_code::kernel& k, const replay::operation& o, std::byte* parameters, CUstream stream);

}  // namespace lab::runner
