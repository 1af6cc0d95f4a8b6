#include "runner/gpu_state.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace lab::runner {

namespace {

// NVML comes with the driver, but not every toolkit has its header. The functions are those of NVIDIA's NVML API
// reference. They are looked up at run time, so that the runner starts on a machine without a driver.
class management_library {
 public:
  management_library() : handle_{dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)} {
    char bus[32] = {};
    int device = 0;
    if (!handle_ || cudaGetDevice(&device) != cudaSuccess || !bus_id(bus, sizeof bus, device)) return;
    const auto begin = function<int()>("nvmlInit_v2");
    const auto find = function<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (!begin || !find || begin() != 0 || find(bus, &device_) != 0) device_ = nullptr;
  }

  unsigned clock(unsigned domain) const {
    const auto query = function<int(void*, unsigned, unsigned*)>("nvmlDeviceGetClockInfo");
    unsigned mhz = 0;
    return device_ && query && query(device_, domain, &mhz) == 0 ? mhz : 0;
  }
  unsigned milliwatts() const {
    const auto query = function<int(void*, unsigned*)>("nvmlDeviceGetPowerUsage");
    unsigned power = 0;
    return device_ && query && query(device_, &power) == 0 ? power : 0;
  }

 private:
  template <typename Signature>
  Signature* function(const char* name) const {
    return handle_ ? reinterpret_cast<Signature*>(dlsym(handle_, name)) : nullptr;
  }
  static bool bus_id([[maybe_unused]] char* text, [[maybe_unused]] int capacity, [[maybe_unused]] int device) {
#ifdef LAB_ON_GPU
    return cudaDeviceGetPCIBusId(text, capacity, device) == cudaSuccess;
#else
    return false;
#endif
  }

  void* handle_;
  void* device_ = nullptr;
};

}  // namespace

protocol::gpu_state gpu_state_now() {
  constexpr unsigned multiprocessors = 1, memory = 2;
  static const management_library library;
  return {static_cast<float>(library.clock(multiprocessors)), static_cast<float>(library.clock(memory)),
          static_cast<float>(library.milliwatts()) / 1000};
}

}  // namespace lab::runner
