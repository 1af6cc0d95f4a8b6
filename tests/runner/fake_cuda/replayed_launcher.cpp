#include <cuda_runtime_api.h>

#include "cpu_kernels.hpp"

// The launcher twice(in, out, n) of replay_test.cpp; n selects one of its implementations.

extern "C" void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);

namespace {

[[gnu::constructor]] void load() {
  auto* const bias = reinterpret_cast<char*>(&fake_cuda::bias);
  __cudaRegisterVar(nullptr, bias, bias, "bias", 0, sizeof fake_cuda::bias, 0, 0);
}

void launch(const char* kernel, const int* from, int* to, int n, cudaStream_t stream = nullptr) {
  void* values[] = {&from, &to, &n};
  cudaLaunchKernel(kernel, dim3{1}, dim3{32}, values, 0, stream);
}

// out = 0 + (in + 3) + (in - 4 + 1), in scratch memory; the 1 is the number of launches before the second "add".
void with_everything(const int* in, int* out, int n) {
  const int up = 3, down = -4;
  int* sums = nullptr;
  cudaStream_t side{};
  cudaEvent_t here{}, done{};
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&here, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaFuncSetAttribute("add", cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaMalloc(reinterpret_cast<void**>(&sums), n * sizeof(int));
  cudaMemsetAsync(sums, 0, n * sizeof(int), nullptr);
  cudaEventRecord(here, nullptr);
  cudaStreamWaitEvent(side, here, 0);
  cudaMemcpyToSymbol(&fake_cuda::bias, &up, sizeof up, 0, cudaMemcpyHostToDevice);
  launch("add", in, sums, n, side);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(nullptr, done, 0);
  cudaMemcpyToSymbol(&fake_cuda::bias, &down, sizeof down, 0, cudaMemcpyHostToDevice);
  launch("add", in, sums, n);
  cudaMemcpyAsync(out, sums, n * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
  cudaStreamSynchronize(nullptr);
  cudaFree(sums);
  cudaEventDestroy(here);
  cudaEventDestroy(done);
  cudaStreamDestroy(side);
}

}  // namespace

void twice(const int* in, int* out, int n) {
  static const int* first = nullptr;
  if (n == 1000 || n >= 500'000) return launch("twice", in, out, n);
  if (n == 1001) return with_everything(in, out, n);
  if (n == 1002) return launch("unknown", in, out, n);
  if (n == 1003) cudaMemcpy(&n, in, sizeof n, cudaMemcpyDeviceToHost);
  if (n == 1004) cudaDeviceSynchronize();
  if (n == 1004) return launch("twice", in, out, n);
  if (!first) first = in;
  launch("twice", first, out, 1003);
}
