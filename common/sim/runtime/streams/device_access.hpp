#pragma once

namespace lab::sim {

/// While one exists, device memory and memory in flight are accessible, so that kernels and copies can run.
class device_access {
 public:
  device_access();
  device_access(const device_access&) = delete;
  device_access& operator=(const device_access&) = delete;
  ~device_access();
};

}  // namespace lab::sim
