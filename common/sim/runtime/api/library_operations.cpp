#include "lab_sim/api/library_operation.h"
#include "lab_sim/device.h"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"

using namespace lab::sim;

namespace lab_sim {

__thread unsigned library_depth = 0;

// Code of a kernel may call a library, too, for which memory is open already.
cudaError_t library_begins(cudaStream_t stream) {
  if (lab_sim_inside()) return cudaSuccess;
  if (const cudaError_t failed = sticky(); failed != cudaSuccess) return refused();
  if (cudaStreamCaptureStatus status{}; cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != 0)
    return report(status != 0 ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle);
  order::begin(stream);
  in_flight::open();
  open_device_memory();
  return cudaSuccess;
}

void library_ends(cudaStream_t stream, bool waits) {
  if (lab_sim_inside()) return;
  close_device_memory();
  in_flight::close();
  if (!waits) return;
  order::host_waits(stream);
  in_flight::host_waits(stream);
}

}  // namespace lab_sim
