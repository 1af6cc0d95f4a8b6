#include <chrono>
#include <set>

#include "errors.hpp"

// Work is done at once, in program order: a legal order of any set of streams.

using namespace lab::sim;
using clock_type = std::chrono::steady_clock;

struct CUstream_st {};

struct CUevent_st {
  bool timed, recorded;
  clock_type::time_point at;
};

namespace {

std::set<const void*>& handles() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

bool known(cudaStream_t s) { return !s || s == cudaStreamLegacy || s == cudaStreamPerThread || handles().contains(s); }
bool known(cudaEvent_t e) { return e && handles().contains(e); }

template <class T>
cudaError_t made(T** handle, T* fresh) {
  handles().insert(*handle = fresh);
  return cudaSuccess;
}

template <class T>
cudaError_t destroyed(T* handle) {
  if (!handle || handles().erase(handle) == 0) return cudaErrorInvalidResourceHandle;
  delete handle;
  return cudaSuccess;
}

template <class Handle>
cudaError_t when_known(Handle h) {
  return call([&] { return known(h) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

}  // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call([&] { return stream && flags <= 1 ? made(stream, new CUstream_st) : cudaErrorInvalidValue; });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&] { return destroyed(stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return when_known(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return when_known(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call([&] { return known(stream) && known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (!callback) return cudaErrorInvalidValue;
    callback(stream, cudaSuccess, user_data);
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (!function) return cudaErrorInvalidValue;
    function(user_data);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return report(sticky());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&] {
    if (!event || flags > 7) return cudaErrorInvalidValue;
    return made(event, new CUevent_st{(flags & cudaEventDisableTiming) == 0, false, {}});
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&] { return destroyed(event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] {
    if (!known(event) || !known(stream)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->at = clock_type::now();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return when_known(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return when_known(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!known(start) || !known(end) || !start->timed || !end->timed || !start->recorded || !end->recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return cudaSuccess;
  });
}
