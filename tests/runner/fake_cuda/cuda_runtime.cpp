#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cpu_kernels.hpp"

// A fake of CUDA's runtime for machines without a GPU: device memory is host memory, and kernels run when they are
// launched, but the device is busy with "twice" for a nanosecond for each element. Host functions and events are
// asynchronous: an event's time is that at which the device gets to it. The host symbol of a kernel is its name; the
// host symbol of a global variable is the variable itself.

namespace {

using clock_type = std::chrono::steady_clock;

struct event {
  clock_type::time_point time;
};

bool command_line_contains(const std::string& name);

// The default stream: a host function that runs, and the events behind it.
class device {
 public:
  ~device() { wait(); }

  void call(cudaHostFn_t function, void* with) {
    wait();
    running_ = std::thread{function, with};
  }
  void record(event* one) { queue({one, clock_type::now()}); }
  void work(clock_type::duration time) { queue({nullptr, clock_type::now(), time}); }
  void wait() {
    if (running_.joinable()) {
      running_.join();
      free_ = clock_type::now();
    }
    for (const auto& one : behind_) reach(one);
    behind_.clear();
    std::this_thread::sleep_until(free_);
  }

 private:
  struct operation {
    event* recorded;  // or null
    clock_type::time_point queued;
    clock_type::duration time{};
  };

  // With late_events an idle device, too, gets to its work only when the host waits for it.
  void queue(const operation& one) {
    static const bool late = command_line_contains("late_events");
    if (running_.joinable() || late)
      behind_.push_back(one);
    else
      reach(one);
  }
  void reach(const operation& one) {
    static const bool slow = command_line_contains("slow_events"), late = command_line_contains("late_events");
    free_ = std::max(free_, late ? clock_type::now() : one.queued) + one.time;
    if (!one.recorded) return;
    one.recorded->time = free_;
    if (slow) free_ += std::chrono::milliseconds{60};
  }

  clock_type::time_point free_{};
  std::thread running_;
  std::vector<operation> behind_;
} the_device;

device side_stream;

// Of each kernel "twice" between cudaProfilerStart() and cudaProfilerStop() the fake of Nsight Compute says its time, a
// nanosecond for each element.
bool profiling = false;

void write_to_page(int elements) {
  const char* const page = std::getenv("FAKE_NCU_PAGE");
  if (!page) return;
  std::ofstream lines{page, std::ios::app};
  if (lines.tellp() == 0) lines << "Kernel Name,Grid Size,gpu__time_duration.sum\n,,ns\n";
  lines << "twice,\"(1, 1, 1)\"," << elements << '\n';
}

cudaError_t run(const void* kernel, const dim3& grid, void** values) {
  const auto* const found = fake_cuda::find(static_cast<const char*>(kernel));
  if (!found) return cudaErrorInvalidDeviceFunction;
  if (grid.x == 0) return cudaErrorInvalidConfiguration;
  found->run(values);
  if (std::string_view{found->name} != "twice") return cudaSuccess;
  const auto elements = *static_cast<int*>(values[2]);
  the_device.work(std::chrono::nanoseconds{elements});
  if (profiling) write_to_page(elements);
  return cudaSuccess;
}

cudaError_t make_stream(cudaStream_t* made) {
  static std::uintptr_t last = 1000;
  *made = reinterpret_cast<cudaStream_t>(++last);
  return cudaSuccess;
}

// A test chooses the kind of machine by a file name on this process's command line.
bool command_line_contains(const std::string& name) {
  std::ifstream command_line{"/proc/self/cmdline", std::ios::binary};
  const std::string all{std::istreambuf_iterator<char>{command_line}, {}};
  return all.find(name) != std::string::npos;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  *name = static_cast<const char*>(kernel);
  return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const auto* const found = fake_cuda::find(static_cast<const char*>(kernel));
  if (!found || index >= found->parameters.size()) return cudaErrorInvalidValue;
  *offset = found->parameters[index].offset;
  *bytes = found->parameters[index].bytes;
  return cudaSuccess;
}

// This address counts as device memory that is neither an argument nor from the arena.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  attributes->type =
      pointer == reinterpret_cast<void*>(0x7f00'0000'0000) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = which == cudaDevAttrL2CacheSize ? 1 << 16
                                           : which == cudaDevAttrPageableMemoryAccess && command_line_contains("hmm");
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "a CPU in place of a GPU");
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = 1 << 30;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char*, int, int) { return cudaErrorInvalidDevice; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaErrorOfTheFake"; }
const char* cudaGetErrorString(cudaError_t) { return "an error of the fake runtime"; }

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return *pointer = std::aligned_alloc(256, (bytes + 255) / 256 * 256), cudaSuccess;
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) { return cudaMalloc(pointer, bytes); }
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) { return cudaMalloc(pointer, bytes); }
cudaError_t cudaFree(void* pointer) { return std::free(pointer), cudaSuccess; }
cudaError_t cudaFreeHost(void* pointer) { return std::free(pointer), cudaSuccess; }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return std::free(pointer), cudaSuccess; }
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return std::memset(to, value, bytes), cudaSuccess; }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(to, value, bytes);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  return std::memmove(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return cudaMemcpy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, bytes, kind);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make_stream(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make_stream(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return the_device.wait(), cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event_handle) {
  return *event_handle = reinterpret_cast<cudaEvent_t>(new event), cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event_handle, unsigned) { return cudaEventCreate(event_handle); }
cudaError_t cudaEventDestroy(cudaEvent_t event_handle) {
  return delete reinterpret_cast<event*>(event_handle), cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event_handle, cudaStream_t) {
  return the_device.record(reinterpret_cast<event*>(event_handle)), cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  const std::chrono::duration<float, std::milli> taken =
      reinterpret_cast<event*>(to)->time - reinterpret_cast<event*>(from)->time;
  return *milliseconds = taken.count(), cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return the_device.wait(), cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return the_device.wait(), side_stream.wait(), cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void* with) {
  return (stream ? side_stream : the_device).call(call, with), cudaSuccess;
}
cudaError_t cudaProfilerStart() { return profiling = true, cudaSuccess; }
cudaError_t cudaProfilerStop() { return profiling = false, cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3, void** values, std::size_t, cudaStream_t) {
  return run(reinterpret_cast<const void*>(kernel), grid, values);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** values) {
  return run(kernel, config->gridDim, values);
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3, void** values, std::size_t, cudaStream_t) {
  return run(kernel, grid, values);
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

}  // extern "C"
