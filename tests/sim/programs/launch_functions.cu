// prints: typed 12 erased 12 table 12 in a namespace 12 template 12, cast 12
// prints: extended 12 cooperative 12
// prints: cluster of 2, grid of 1 cudaErrorInvalidClusterSize
// prints: no kernel cudaErrorInvalidDeviceFunction
// prints: the driver's function that makes tensor maps: found
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
__device__ int sum(int a, int b) { return a + b; }
__global__ void put(int* p, int a, float b, int c) { *p = sum(a, static_cast<int>(b)) * c; }
namespace deep {
namespace {
__global__ void __launch_bounds__(128) put(int* p, int a) { *p = a; }
}  // namespace
}  // namespace deep
template <class T>
__global__ void put_template(T* p, T a) {
  *p = a;
}
__global__ void overloaded(int* p) { *p = 1; }
__global__ void overloaded(float* p) { *p = 1; }
int host_variable;
int main() {
  int* d;
  cudaMallocManaged(&d, sizeof(int));
  int a = 2, c = 3, twelve = 12;
  float b = 2;
  void* arguments[] = {&d, &a, &b, &c};
  void* two[] = {&d, &twelve};
  const auto result = [&] {
    cudaDeviceSynchronize();
    const int r = *d;
    *d = 0;
    return r;
  };
  cudaLaunchKernel(put, dim3(1), dim3(1), arguments);
  std::printf("typed %d", result());
  cudaLaunchKernel((void*)put, 1, 1, arguments, 0, nullptr);
  std::printf(" erased %d", result());
  const void* table[] = {reinterpret_cast<const void*>(&put), (const void*)deep::put};
  cudaLaunchKernel(table[0], 1, 1, arguments, 0, 0);
  std::printf(" table %d", result());
  cudaLaunchKernel(table[1], 1, 1, two, 0, 0);
  std::printf(" in a namespace %d", result());
  cudaLaunchKernel(put_template<int>, 1, 1, two);
  std::printf(" template %d", result());
  cudaLaunchKernel((void*)put_template<int>, 1, 1, two, 0, 0);
  const int cast = result();
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(put_template<int>), 1, 1, two, 0, 0);
  std::printf(", cast %d\n", cast == 12 ? result() : cast);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = dim3(1);
  cudaLaunchKernelEx(&config, put, d, 2, 2, 3u);
  std::printf("extended %d", result());
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, deep::put, d, 12);
  std::printf(" cooperative %d\n", result());
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim = {2, 1, 1};
  std::printf("cluster of 2, grid of 1 %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, deep::put, d, 12)));
  std::printf("no kernel %s\n", cudaGetErrorName(cudaLaunchKernel(&host_variable, 1, 1, two, 0, 0)));
  PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void**)&encode, 12000, cudaEnableDefault, nullptr);
  std::printf("the driver's function that makes tensor maps: %s\n", encode ? "found" : "missing");
  overloaded<<<1, 1>>>(d);
}
