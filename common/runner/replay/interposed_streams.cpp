#include <cuda_runtime_api.h>

#include <atomic>

#include "runner/replay/interposed.hpp"
#include "runner/replay/interposing.hpp"

// Streams, events, waiting, variables, and what a tape cannot follow; see interposed.cpp.

namespace lab::runner {

namespace {

std::atomic<bool> one_waits_for_nobody = false;

cudaError_t note_stream(cudaError_t status, const cudaStream_t* made, unsigned flags) {
  if ((flags & cudaStreamNonBlocking) != 0) one_waits_for_nobody = true;
  return note(status, [&](recorder& t) { t.add_stream(number(*made), (flags & cudaStreamNonBlocking) == 0); });
}

cudaError_t note_barrier(cudaError_t status) {
  return note(status, [](recorder& t) { t.barrier(); });
}

}  // namespace

bool some_stream_waits_for_nobody() { return one_waits_for_nobody; }

}  // namespace lab::runner

using namespace lab::runner;

/// A function that a tape cannot follow.
#define LAB_REFUSED(name, parameters, arguments) \
  cudaError_t name parameters {                  \
    refuse("it calls " #name);                   \
    return LAB_REAL(name) arguments;             \
  }

extern "C" {

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return note(LAB_REAL(cudaEventRecord)(event, stream),
              [&](auto& t) { t.record_event(number(event), number(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return note(LAB_REAL(cudaStreamWaitEvent)(stream, event, flags),
              [&](auto& t) { t.wait_event(number(event), number(stream)); });
}

cudaError_t cudaStreamCreate(cudaStream_t* made) {
  return note_stream(LAB_REAL(cudaStreamCreate)(made), made, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
  return note_stream(LAB_REAL(cudaStreamCreateWithFlags)(made, flags), made, flags);
}

// A priority only says who goes first where two could.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* made, unsigned flags, int priority) {
  return note_stream(LAB_REAL(cudaStreamCreateWithPriority)(made, flags, priority), made, flags);
}

cudaError_t cudaDeviceSynchronize() { return note_barrier(LAB_REAL(cudaDeviceSynchronize)()); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return note_barrier(LAB_REAL(cudaStreamSynchronize)(stream)); }

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return note_barrier(LAB_REAL(cudaEventSynchronize)(event)); }

// Called as a library loads, for each variable of its device code; declared in no header for host compilers.
void __cudaRegisterVar(void** handle, char* symbol, char* address, const char* name, int external, std::size_t size,
                       int constant, int global) {
  note(cudaSuccess, [&](recorder& t) { t.add_global(number(symbol), name); });
  LAB_REAL(__cudaRegisterVar)(handle, symbol, address, name, external, size, constant, global);
}

LAB_REFUSED(cudaMallocManaged, (void** p, std::size_t n, unsigned f), (p, n, f))
LAB_REFUSED(cudaMallocPitch, (void** p, std::size_t* d, std::size_t w, std::size_t h), (p, d, w, h))
LAB_REFUSED(cudaGetSymbolAddress, (void** p, const void* s), (p, s))
LAB_REFUSED(cudaMemcpyFromSymbol, (void* t, const void* s, std::size_t n, std::size_t o, cudaMemcpyKind k),
            (t, s, n, o, k))
LAB_REFUSED(cudaMemcpy2D,
            (void* t, std::size_t tp, const void* f, std::size_t fp, std::size_t w, std::size_t h, cudaMemcpyKind k),
            (t, tp, f, fp, w, h, k))
LAB_REFUSED(cudaLaunchHostFunc, (cudaStream_t s, cudaHostFn_t f, void* d), (s, f, d))
LAB_REFUSED(cudaStreamBeginCapture, (cudaStream_t s, cudaStreamCaptureMode m), (s, m))
LAB_REFUSED(cudaGraphLaunch, (cudaGraphExec_t g, cudaStream_t s), (g, s))
LAB_REFUSED(cudaDeviceSetLimit, (cudaLimit l, std::size_t v), (l, v))

}  // extern "C"
