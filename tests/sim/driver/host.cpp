// The driver API: a module, its kernel with arguments in both forms, its variable, and what it lacks.
#include <cuda.h>

#include <cstdio>
#include <cstring>
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale;
  CUdeviceptr memory, calls;
  size_t bytes = 0;
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device)) return 1;
  if (cuModuleLoad(&module, "kernel.fatbin") || cuModuleGetFunction(&scale, module, "scale")) return 2;
  float host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  if (cuMemAlloc(&memory, sizeof host) || cuMemcpyHtoD(memory, host, sizeof host)) return 3;
  char step = 1;
  double by = 2;
  int n = 64;
  void* arguments[] = {&memory, &step, &by, &n};
  if (cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr)) return 4;
  struct {
    CUdeviceptr out;
    char step;
    double by;
    int n;
  } packed = {memory, 1, 2, 64};
  size_t size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  if (cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra)) return 5;
  if (cuModuleGetGlobal(&calls, &bytes, module, "calls")) return 6;
  int count = 0;
  if (cuMemcpyDtoH(host, memory, sizeof host) || cuMemcpyDtoH(&count, calls, bytes)) return 7;
  const char* name = nullptr;
  cuGetErrorName(cuModuleGetFunction(&scale, module, "missing"), &name);
  printf("%g %g, %d of %zu bytes, %s\n", host[1], host[63], count, bytes, name);
  const CUresult absent = cuModuleLoad(&module, "absent.fatbin");
  printf("%d %d\n", absent, cuModuleLoadData(&module, "no library at all"));
  return cuCtxSynchronize();
}
