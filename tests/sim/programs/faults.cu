// prints: beyond: cudaErrorIllegalAddress out_of_bounds: kernel put, block (0, 0, 0), thread (0, 0, 0): 
// prints: null: cudaErrorIllegalAddress out_of_bounds: kernel put, block (0, 0, 0), thread (0, 0, 0): 
// prints: host: cudaErrorIllegalAddress host_pointer: kernel put, block (0, 0, 0), thread (0, 0, 0): 
// prints: freed: cudaErrorIllegalAddress use_after_free: kernel put, block (0, 0, 0), thread (0, 0, 0): 
// prints: vector: cudaErrorMisalignedAddress misaligned: kernel wide, block (0, 0, 0), thread (0, 0, 0): 
// prints: zero: cudaErrorLaunchFailure launch_error: kernel divide, block (0, 0, 0), thread (3, 0, 0): 
// prints: stack: cudaErrorIllegalAddress out_of_bounds: kernel deep, block (0, 0, 0), thread (0, 0, 0): 
// prints: trap: cudaErrorLaunchFailure launch_error: kernel trap, block (1, 0, 0), thread (0, 0, 0): 
// prints: nothing runs after a fault 1
#include <lab_sim.h>

#include <cstdio>
#include <string>
__global__ void put(int* p, int i) { p[i] = 1; }
__global__ void wide(float4* p) { p[1] = p[0]; }
__global__ void divide(int* p, int n) { p[0] = n / (static_cast<int>(threadIdx.x) - 3); }
__global__ void deep(int* p, int i) {
  volatile char local[200000];
  local[i] = 1;
  *p = local[i];
}
__global__ void trap() {
  if (blockIdx.x == 1) __trap();
}
void say(const char* what) {
  const cudaError_t first = cudaDeviceSynchronize();
  const std::string detail = lab_sim_error_detail();
  std::printf("%s: %s %s\n", what, cudaGetErrorName(first), detail.substr(0, detail.find("): ") + 3).c_str());
  lab_sim_reset();
}
int main() {
  int *d, *managed;
  cudaMalloc(&d, 256);
  cudaMallocManaged(&managed, 4);
  put<<<1, 1>>>(d, 64);
  say("beyond");
  put<<<1, 1>>>(nullptr, 3);
  say("null");
  int* h = new int[4];
  put<<<1, 1>>>(h, 0);
  say("host");
  delete[] h;
  int* gone;
  cudaMalloc(&gone, 256);
  cudaFree(gone);
  put<<<1, 1>>>(gone, 0);
  say("freed");
  wide<<<1, 1>>>(reinterpret_cast<float4*>(d + 1));
  say("vector");
  divide<<<1, 8>>>(d, 5);
  say("zero");
  deep<<<1, 1>>>(d, 0);
  say("stack");
  trap<<<2, 1>>>();
  say("trap");
  *managed = 0;
  put<<<1, 1>>>(d, 1 << 20);
  put<<<1, 1>>>(managed, 0);
  const bool refused = cudaMalloc(&gone, 4) == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress;
  std::printf("nothing runs after a fault %d\n", *managed == 0 && refused && cudaGetLastError() == cudaErrorIllegalAddress);
}
