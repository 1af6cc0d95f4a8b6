#pragma once

#include <mutex>

namespace lab::sim {

/// While one exists, device memory and memory in flight are accessible, so that kernels and copies can run. A kernel of
/// one of several devices closes the others' memory, so no copy of another OS thread runs beside it.
class device_access {
 public:
  enum class of { work, host_function };  // the latter may wait for other threads, which may run work
  explicit device_access(of whom = of::work);
  device_access(const device_access&) = delete;
  device_access& operator=(const device_access&) = delete;
  ~device_access();

 private:
  std::unique_lock<std::recursive_mutex> alone_;
};

}  // namespace lab::sim
