#pragma once

#include "lab_sim/api/tensor_maps.h"

// The part of the driver API that loads kernels from files and launches them. What  labcc -fatbin  (-cubin, -ptx) makes
// is a library for the simulator, which a module loads. Numbers of errors and attributes are those of the runtime API.

#define LAB_SIM_CU_ATTRIBUTES(X)              \
  X(MAX_THREADS_PER_BLOCK, 1)                 \
  X(MAX_BLOCK_DIM_X, 2)                       \
  X(MAX_BLOCK_DIM_Y, 3)                       \
  X(MAX_BLOCK_DIM_Z, 4)                       \
  X(MAX_GRID_DIM_X, 5)                        \
  X(MAX_GRID_DIM_Y, 6)                        \
  X(MAX_GRID_DIM_Z, 7)                        \
  X(MAX_SHARED_MEMORY_PER_BLOCK, 8)           \
  X(TOTAL_CONSTANT_MEMORY, 9)                 \
  X(WARP_SIZE, 10)                            \
  X(MAX_PITCH, 11)                            \
  X(MAX_REGISTERS_PER_BLOCK, 12)              \
  X(CLOCK_RATE, 13)                           \
  X(TEXTURE_ALIGNMENT, 14)                    \
  X(GPU_OVERLAP, 15)                          \
  X(MULTIPROCESSOR_COUNT, 16)                 \
  X(KERNEL_EXEC_TIMEOUT, 17)                  \
  X(INTEGRATED, 18)                           \
  X(CAN_MAP_HOST_MEMORY, 19)                  \
  X(COMPUTE_MODE, 20)                         \
  X(MAXIMUM_TEXTURE1D_WIDTH, 21)              \
  X(MAXIMUM_TEXTURE2D_WIDTH, 22)              \
  X(MAXIMUM_TEXTURE2D_HEIGHT, 23)             \
  X(MAXIMUM_TEXTURE3D_WIDTH, 24)              \
  X(MAXIMUM_TEXTURE3D_HEIGHT, 25)             \
  X(MAXIMUM_TEXTURE3D_DEPTH, 26)              \
  X(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 27)      \
  X(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 28)     \
  X(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 29)     \
  X(SURFACE_ALIGNMENT, 30)                    \
  X(CONCURRENT_KERNELS, 31)                   \
  X(ECC_ENABLED, 32)                          \
  X(PCI_BUS_ID, 33)                           \
  X(PCI_DEVICE_ID, 34)                        \
  X(TCC_DRIVER, 35)                           \
  X(MEMORY_CLOCK_RATE, 36)                    \
  X(GLOBAL_MEMORY_BUS_WIDTH, 37)              \
  X(L2_CACHE_SIZE, 38)                        \
  X(MAX_THREADS_PER_MULTIPROCESSOR, 39)       \
  X(ASYNC_ENGINE_COUNT, 40)                   \
  X(UNIFIED_ADDRESSING, 41)                   \
  X(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 42)      \
  X(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 43)     \
  X(PCI_DOMAIN_ID, 50)                        \
  X(COMPUTE_CAPABILITY_MAJOR, 75)             \
  X(COMPUTE_CAPABILITY_MINOR, 76)             \
  X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
  X(MAX_REGISTERS_PER_MULTIPROCESSOR, 82)     \
  X(MANAGED_MEMORY, 83)                       \
  X(COMPUTE_PREEMPTION_SUPPORTED, 90)         \
  X(COOPERATIVE_LAUNCH, 95)                   \
  X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)    \
  X(MAX_BLOCKS_PER_MULTIPROCESSOR, 106)
#define LAB_SIM_CU_ATTRIBUTE(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
typedef enum CUdevice_attribute_enum {
  LAB_SIM_CU_ATTRIBUTES(LAB_SIM_CU_ATTRIBUTE) CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96
} CUdevice_attribute;
#undef LAB_SIM_CU_ATTRIBUTE
#undef LAB_SIM_CU_ATTRIBUTES

typedef enum CUcomputemode_enum {
  CU_COMPUTEMODE_DEFAULT = 0,
  CU_COMPUTEMODE_PROHIBITED = 2,
  CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUjit_option_enum {
  CU_JIT_MAX_REGISTERS = 0,
  CU_JIT_WALL_TIME = 2,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
  CU_JIT_TARGET = 9,
  CU_JIT_LOG_VERBOSE = 12
} CUjit_option;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUctxCreateParams_st {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} CUctxCreateParams;

#define CU_LAUNCH_PARAM_END ((void*)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define CU_STREAM_DEFAULT 0
#define CU_STREAM_NON_BLOCKING 1

extern "C" {
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);

CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);

CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxSynchronize();
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);

CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, size_t shared);
CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction function, size_t (*shared_of)(int),
                                          size_t shared, int limit);

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemGetInfo(size_t* available, size_t* total);
CUresult cuMemAllocHost(void** pointer, size_t bytes);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned value, size_t count);

CUresult cuStreamCreate(CUstream* stream, unsigned flags);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuEventCreate(CUevent* event, unsigned flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end);
}

// Of CUDA 12 and of CUDA 13, which has parameters.
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device);
inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  const bool plain = !parameters || (parameters->numExecAffinityParams == 0 && !parameters->cigParams);
  return plain ? cuCtxCreate(context, flags, device) : CUDA_ERROR_NOT_SUPPORTED;
}

#include "lab_sim/api/driver_arrays.h"
