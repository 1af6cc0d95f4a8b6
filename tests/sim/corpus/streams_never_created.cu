// hazard: error launch_error 8 0
// hazard: error launch_error 10 0
// hazard: error launch_error 12 0
// A null stream is the default one, in which a kernel may run. It cannot be destroyed.
__global__ void k() {}
int main() {
  cudaStream_t none = nullptr, other = reinterpret_cast<cudaStream_t>(0x1230);
  cudaStreamDestroy(none);
  k<<<1, 32, 0, none>>>();
  k<<<1, 32, 0, other>>>();
  cudaEvent_t event = nullptr;
  cudaEventRecord(event, none);
  cudaGetLastError();
  return cudaDeviceSynchronize();
}
