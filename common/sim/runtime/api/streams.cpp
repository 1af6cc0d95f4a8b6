#include "sim/runtime/streams/streams.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/device_access.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"

// Streams do their work at once, in program order, which is a legal order.

using namespace lab::sim;
using clock_type = std::chrono::steady_clock;

namespace {

template <class T>
cudaError_t made(T** handle, T* fresh) {
  register_handle(*handle = fresh);
  return cudaSuccess;
}

std::string next_name() {
  static std::atomic<int> number = 0;
  return "stream " + std::to_string(++number);
}

cudaError_t refuse(const std::string& why, const void* pc) {
  set_detail(hazard_kind::launch_error, why);
  trace::refused("", "streams", why, pc);
  return cudaErrorInvalidResourceHandle;
}

cudaError_t exists(cudaStream_t stream, const std::string& call, const void* pc) {
  return known(stream) ? cudaSuccess : refuse(call + " got a stream that" + does_not_exist, pc);
}

cudaError_t exists(cudaEvent_t event, const std::string& call, const void* pc) {
  return known(event) ? cudaSuccess : refuse(call + " got an event that" + does_not_exist, pc);
}

cudaError_t destroy_stream(cudaStream_t stream, const void* pc) {
  if (built_in(stream))
    return refuse("cudaStreamDestroy got the default stream: no call has created a stream in this variable", pc);
  if (const auto refused = exists(stream, "cudaStreamDestroy", pc); refused != cudaSuccess) return refused;
  if (capture::needs(stream)) stream->captures->spoiled = true;
  order::drop_timeline(stream->timeline);
  unregister_handle(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t destroy_event(cudaEvent_t event, const void* pc) {
  if (const auto refused = exists(event, "cudaEventDestroy", pc); refused != cudaSuccess) return refused;
  unregister_handle(event);
  delete event;
  return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t stream, const std::string& name, const void* pc) {
  return call_that_waits([&] {
    if (const auto refused = exists(stream, name, pc); refused != cudaSuccess) return refused;
    const cudaError_t refused = built_in(stream) || stream->captures ? capture::forbids_waiting() : cudaSuccess;
    if (refused == cudaSuccess) in_flight::host_waits(stream);
    return refused;
  });
}

cudaError_t wait_for(cudaEvent_t event, const std::string& name, const void* pc) {
  return call([&] {
    if (const auto refused = exists(event, name, pc); refused != cudaSuccess) return refused;
    if (event->captured) return cudaErrorCapturedEvent;
    if (event->recorded) in_flight::host_waits(event->stands_for);
    return cudaSuccess;
  });
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, const std::string& name, const void* pc) {
  return call([&] {
    if (const auto refused = exists(event, name, pc); refused != cudaSuccess) return refused;
    if (const auto refused = exists(stream, name, pc); refused != cudaSuccess) return refused;
    capture::record(event, stream);
    if (event->captured) return cudaSuccess;
    event->recorded = true;
    event->stands_for = order::recorded(stream);
    event->at = clock_type::now();
    return cudaSuccess;
  });
}

constexpr int greatest_priority = -5;

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority, const void* pc) {
  return call([&] {
    if (!stream || flags > 1) return cudaErrorInvalidValue;
    const auto timeline = order::make_timeline(next_name());
    return made(stream, new CUstream_st{.blocking = flags == cudaStreamDefault,
                                        .captures = {},
                                        .timeline = timeline,
                                        .priority = std::clamp(priority, greatest_priority, 0),
                                        .device = current_device(),
                                        .made_at = pc});
  });
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags, const void* pc) {
  return call([&] {
    if (!event || flags > 7) return cudaErrorInvalidValue;
    return made(event,
                new CUevent_st{.timed = (flags & cudaEventDisableTiming) == 0, .recorded = false, .made_at = pc});
  });
}

// CUDA allows the flag `external` in a stream that is captured only.
bool allowed(unsigned flags, unsigned external, cudaStream_t stream) {
  const bool captured = !built_in(stream) && stream->captures;
  return flags == 0 || (flags == external && captured);
}

// What a stream's host function tells the rest of the program cannot be seen, so the host counts as having waited for
// the work before it.
void begin_host_function(cudaStream_t stream) {
  in_flight::host_waits(stream);
  order::begin(stream);
}

}  // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create_stream(stream, flags, 0, __builtin_return_address(0));
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create_stream(stream, cudaStreamDefault, 0, __builtin_return_address(0));
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create_stream(stream, flags, priority, __builtin_return_address(0));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&, pc = __builtin_return_address(0)] { return destroy_stream(stream, pc); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (priority) *priority = built_in(stream) ? 0 : stream->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (flags) *flags = built_in(stream) || stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (device) *device = built_in(stream) ? current_device() : stream->device;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for(stream, "cudaStreamSynchronize", __builtin_return_address(0));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return wait_for(stream, "cudaStreamQuery", __builtin_return_address(0));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call([&, pc = __builtin_return_address(0)] {
    if (const auto refused = exists(stream, "cudaStreamWaitEvent", pc); refused != cudaSuccess) return refused;
    if (const auto refused = exists(event, "cudaStreamWaitEvent", pc); refused != cudaSuccess) return refused;
    if (!allowed(flags, cudaEventWaitExternal, stream)) return cudaErrorInvalidValue;
    if (!event->captured) order::stream_waits(stream, event->stands_for);
    return capture::wait(stream, event);
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (!callback) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [=] {
      begin_host_function(stream);
      const device_access open{device_access::of::host_function};
      return callback(stream, cudaSuccess, user_data), cudaSuccess;
    });
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return call([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (!function) return cudaErrorInvalidValue;
    return capture::run_or_keep(stream, [=] {
      begin_host_function(stream);
      const device_access open{device_access::of::host_function};
      return function(user_data), cudaSuccess;
    });
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = greatest_priority;
  return report(sticky());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return create_event(event, flags, __builtin_return_address(0));
}
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return create_event(event, flags, __builtin_return_address(0));
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&, pc = __builtin_return_address(0)] { return destroy_event(event, pc); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record(event, stream, "cudaEventRecord", __builtin_return_address(0));
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (known(stream) && !allowed(flags, cudaEventRecordExternal, stream))
    return call([] { return cudaErrorInvalidValue; });
  return record(event, stream, "cudaEventRecordWithFlags", __builtin_return_address(0));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait_for(event, "cudaEventSynchronize", __builtin_return_address(0));
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for(event, "cudaEventQuery", __builtin_return_address(0)); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!known(start) || !known(end) || !start->timed || !end->timed || !start->recorded || !end->recorded)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return cudaSuccess;
  });
}
