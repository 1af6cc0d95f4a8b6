#include <cuda_runtime_api.h>

#include <cstddef>

// Host code as nvcc makes it of a kernel's file, with the launchers that interposed_test.cpp calls.

extern "C" {

void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t);

}  // extern "C"

namespace {

const char kernel[] = "_Z6kernelPfi4pair";
char filter[16];

struct pair {
  float *in, *out;
};

[[gnu::constructor]] void load() { __cudaRegisterVar(nullptr, filter, filter, "filter", 0, sizeof filter, 1, 0); }

void launch(dim3 grid, float* a, int n, pair both, cudaStream_t stream) {
  void* values[] = {&a, &n, &both};
  cudaLaunchKernel(kernel, grid, dim3{32, 4, 1}, values, 1024, stream);
}

}  // namespace

extern "C" {

void several(float* a, float* b, int n) {
  float* sums = nullptr;
  const float weights[] = {1, 2};
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  cudaMalloc(reinterpret_cast<void**>(&sums), 64);
  cudaMemsetAsync(sums, 0, 64, nullptr);
  cudaMemcpyToSymbol(filter, weights, sizeof weights, 8, cudaMemcpyHostToDevice);
  launch(0, a, n, {a, b}, nullptr);  // fails, and so does nothing
  launch(7, a, n, {sums, b}, nullptr);
  cudaFree(sums);
}

void streams(float* a, float* b, int n) {
  cudaStream_t side{};
  cudaEvent_t done{};
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  launch(3, a, n, {a, b}, side);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(nullptr, done, 0);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {8, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = 16;
  config.blockDim = 128;
  config.attrs = &cluster;
  config.numAttrs = 1;
  pair both{a, b};
  void* values[] = {&a, &n, &both};
  cudaLaunchKernelExC(&config, kernel, values);
  auto* const known = reinterpret_cast<cudaKernel_t>(const_cast<char*>(kernel));
  __cudaLaunchKernel(known, 1, 1, values, 0, nullptr);
}

void reads_back(float* a, float*, int) {
  float value = 0;
  cudaMemcpy(&value, a, sizeof value, cudaMemcpyDeviceToHost);
}

void graph(float*, float*, int) { cudaGraphLaunch(nullptr, nullptr); }

void elsewhere(float* a, float*, int n) {
  auto* const other = reinterpret_cast<float*>(0x7f00'0000'0000);
  launch(1, a, n, {a, other}, nullptr);
}

}  // extern "C"
