// prints: outside of a capture: cudaErrorInvalidValue cudaErrorInvalidValue cudaSuccess
// prints: in a capture: cudaSuccess cudaErrorInvalidValue
// prints: 3
#include <cstdio>

// The flags of external events are refused in a stream that is not captured; the event is neither recorded nor waited for.
__global__ void set(int* p) { *p = 3; }

int main() {
  int* d;
  cudaMalloc(&d, sizeof(int));
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  set<<<1, 1, 0, s>>>(d);
  const auto recorded = cudaEventRecordWithFlags(event, s, cudaEventRecordExternal);
  const auto waited = cudaStreamWaitEvent(s, event, cudaEventWaitExternal);
  const auto plain = cudaEventRecordWithFlags(event, s, cudaEventRecordDefault);
  std::printf("outside of a capture: %s %s %s\n", cudaGetErrorName(recorded), cudaGetErrorName(waited),
              cudaGetErrorName(plain));

  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  set<<<1, 1, 0, s>>>(d);
  const auto captured = cudaEventRecordWithFlags(event, s, cudaEventRecordExternal);
  const auto unknown = cudaEventRecordWithFlags(event, s, 2);
  cudaStreamEndCapture(s, &graph);
  std::printf("in a capture: %s %s\n", cudaGetErrorName(captured), cudaGetErrorName(unknown));
  cudaGetLastError();

  int h = 0;
  cudaStreamSynchronize(s);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h);
}
