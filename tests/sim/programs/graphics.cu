// prints: cudaErrorNotSupported: launch_error: the simulator does not support graphics interoperability
// prints: 0 devices draw, cudaErrorNotSupported
// prints: 12
#include <cstdio>

#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <lab_sim.h>

// A program that shows its result with OpenGL if it can, and computes it either way.
__global__ void twice(int* p) { *p *= 2; }

int main() {
  cudaGraphicsResource* shown = nullptr;
  const GLuint buffer = 1;
  const cudaError_t refused = cudaGraphicsGLRegisterBuffer(&shown, buffer, cudaGraphicsMapFlagsWriteDiscard);
  std::printf("%s: %s\n", cudaGetErrorName(refused), lab_sim_error_detail());
  unsigned count = 5;
  int device;
  const cudaError_t asked = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
  std::printf("%u devices draw, %s\n", count, cudaGetErrorName(asked));
  int *p, result = 6;
  cudaMalloc(reinterpret_cast<void**>(&p), sizeof(int));
  cudaMemcpy(p, &result, sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(p);
  cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
}
