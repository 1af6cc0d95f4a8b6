// prints: launch: cudaSuccess, peek: cudaSuccess, next launch: cudaSuccess
// prints: wait: cudaErrorIllegalAddress, then: cudaErrorIllegalAddress, launch: cudaErrorIllegalAddress
// prints: graph: cudaSuccess, wait: cudaErrorIllegalAddress
// prints: refused at once: cudaErrorInvalidConfiguration
#include <lab_sim.h>

#include <cstdio>
__global__ void null() { *(volatile int*)nullptr = 1; }
__global__ void none() {}
const char* name(cudaError_t error) { return cudaGetErrorName(error); }
int main() {
  dim3 one(1);
  null<<<1, 1>>>();
  std::printf("launch: %s, ", name(cudaGetLastError()));
  std::printf("peek: %s, ", name(cudaPeekAtLastError()));
  std::printf("next launch: %s\n", name(cudaLaunchKernel((void*)none, one, one, nullptr)));
  std::printf("wait: %s, ", name(cudaDeviceSynchronize()));
  std::printf("then: %s, ", name(cudaGetLastError()));
  std::printf("launch: %s\n", name(cudaLaunchKernel((void*)none, one, one, nullptr)));
  lab_sim_reset();
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  null<<<1, 1, 0, stream>>>();
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  std::printf("graph: %s, ", name(cudaGraphLaunch(executable, stream)));
  std::printf("wait: %s\n", name(cudaStreamSynchronize(stream)));
  lab_sim_reset();
  none<<<1, 2000>>>();
  std::printf("refused at once: %s\n", name(cudaGetLastError()));
}
