#include <cuda_runtime_api.h>

#include <atomic>

#include "runner/replay/interposed.hpp"
#include "runner/replay/recording_state.hpp"

// Streams, events, synchronization, global variables, and calls that cannot be replayed; see interposed_memory.cpp.

namespace lab::runner {

namespace {

std::atomic<bool> created_non_blocking = false;

cudaError_t note_stream(cudaError_t status, const cudaStream_t* made, unsigned flags) {
  if ((flags & cudaStreamNonBlocking) != 0) created_non_blocking = true;
  return note(status,
              [&](recorder& recorder) { recorder.add_stream(as_number(*made), (flags & cudaStreamNonBlocking) == 0); });
}

cudaError_t note_barrier(cudaError_t status) {
  return note(status, [](recorder& recorder) { recorder.barrier(); });
}

}  // namespace

bool non_blocking_stream_exists() { return created_non_blocking; }

}  // namespace lab::runner

using namespace lab::runner;

/// A function whose call cannot be replayed.
#define LAB_REFUSED(name, parameters, arguments) \
  cudaError_t name parameters {                  \
    refuse("it calls " #name);                   \
    return LAB_REAL(name) arguments;             \
  }

extern "C" {

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return note(LAB_REAL(cudaEventRecord)(event, stream),
              [&](auto& recorder) { recorder.record_event(as_number(event), as_number(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return note(LAB_REAL(cudaStreamWaitEvent)(stream, event, flags),
              [&](auto& recorder) { recorder.wait_event(as_number(event), as_number(stream)); });
}

cudaError_t cudaStreamCreate(cudaStream_t* made) {
  return note_stream(LAB_REAL(cudaStreamCreate)(made), made, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
  return note_stream(LAB_REAL(cudaStreamCreateWithFlags)(made, flags), made, flags);
}

// A priority changes the order of execution only where the recording leaves it open.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* made, unsigned flags, int priority) {
  return note_stream(LAB_REAL(cudaStreamCreateWithPriority)(made, flags, priority), made, flags);
}

cudaError_t cudaDeviceSynchronize() { return note_barrier(LAB_REAL(cudaDeviceSynchronize)()); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return note_barrier(LAB_REAL(cudaStreamSynchronize)(stream)); }

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return note_barrier(LAB_REAL(cudaEventSynchronize)(event)); }

// A library calls it for each global variable when it is loaded; no header for host compilers declares it.
void __cudaRegisterVar(void** handle, char* symbol, char* address, const char* name, int external, std::size_t size,
                       int constant, int global) {
  note(cudaSuccess, [&](recorder& recorder) { recorder.add_global(as_number(symbol), name); });
  LAB_REAL(__cudaRegisterVar)(handle, symbol, address, name, external, size, constant, global);
}

LAB_REFUSED(cudaMallocManaged, (void** pointer, std::size_t bytes, unsigned flags), (pointer, bytes, flags))
LAB_REFUSED(cudaMallocPitch, (void** pointer, std::size_t* pitch, std::size_t width, std::size_t height),
            (pointer, pitch, width, height))
LAB_REFUSED(cudaGetSymbolAddress, (void** pointer, const void* symbol), (pointer, symbol))
LAB_REFUSED(cudaMemcpyFromSymbol,
            (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),
            (to, symbol, bytes, offset, kind))
LAB_REFUSED(cudaMemcpy2D,
            (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
             std::size_t height, cudaMemcpyKind kind),
            (to, to_pitch, from, from_pitch, width, height, kind))
LAB_REFUSED(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data), (stream, function, data))
LAB_REFUSED(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode), (stream, mode))
LAB_REFUSED(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream))
LAB_REFUSED(cudaDeviceSetLimit, (cudaLimit limit, std::size_t value), (limit, value))

}  // extern "C"
