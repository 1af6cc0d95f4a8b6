// hazard: none
// Everything that orders streams: events, the legacy stream, and the host.
__global__ void scale(int* d, int by) { d[threadIdx.x] *= by; }
__global__ void use(const int* d, int* out) { out[threadIdx.x] = d[63 - threadIdx.x]; }
int main() {
  int *d, *out, h[64];
  cudaMalloc(&d, 256);
  cudaMalloc(&out, 256);
  cudaStream_t blocking, other, free_running;
  cudaStreamCreate(&blocking);
  cudaStreamCreate(&other);
  cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaMemset(d, 0, 256);
  scale<<<1, 64, 0, blocking>>>(d, 2);  // follows the legacy stream
  scale<<<1, 64>>>(d, 3);               // and the legacy stream follows it
  scale<<<1, 64, 0, other>>>(d, 4);
  cudaEventRecord(event, other);
  cudaStreamWaitEvent(free_running, event);
  scale<<<1, 64, 0, free_running>>>(d, 5);
  cudaStreamSynchronize(free_running);
  use<<<1, 64, 0, blocking>>>(d, out);
  cudaEventRecord(event, blocking);
  cudaEventSynchronize(event);
  scale<<<1, 64, 0, free_running>>>(d, 6);
  cudaDeviceSynchronize();
  scale<<<1, 64, 0, cudaStreamPerThread>>>(d, 7);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);  // the host waits for the copy
  scale<<<1, 64, 0, free_running>>>(d, 8);
  return cudaDeviceSynchronize();
}
