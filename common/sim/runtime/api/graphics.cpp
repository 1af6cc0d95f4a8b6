#include "cuda_runtime_api.h"
#include "sim/runtime/errors/errors.hpp"

using namespace lab::sim;

cudaError_t lab_sim::refuse_graphics() {
  return call([] {
    set_detail(hazard_kind::launch_error, "the simulator does not support graphics interoperability");
    return cudaErrorNotSupported;
  });
}

cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t) { return lab_sim::refuse_graphics(); }
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t) {
  return lab_sim::refuse_graphics();
}
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) { return lab_sim::refuse_graphics(); }
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned) { return lab_sim::refuse_graphics(); }
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t) {
  return lab_sim::refuse_graphics();
}
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned, unsigned) {
  return lab_sim::refuse_graphics();
}
