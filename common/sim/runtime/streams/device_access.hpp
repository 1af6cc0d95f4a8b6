#pragma once

namespace lab::sim {

/// While one exists, the host process can access device memory and memory in flight: kernels and copies run then.
class device_access {
 public:
  device_access();
  device_access(const device_access&) = delete;
  device_access& operator=(const device_access&) = delete;
  ~device_access();
};

}  // namespace lab::sim
