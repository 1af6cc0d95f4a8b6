#pragma once

// CUDA's error codes: LAB_SIM_ERROR(name, number, text).
#define LAB_SIM_ERRORS(LAB_SIM_ERROR)                                                                               \
  LAB_SIM_ERROR(cudaSuccess, 0, "no error")                                                                         \
  LAB_SIM_ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                                       \
  LAB_SIM_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                                      \
  LAB_SIM_ERROR(cudaErrorInitializationError, 3, "initialization error")                                            \
  LAB_SIM_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                                                \
  LAB_SIM_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                 \
  LAB_SIM_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                           \
  LAB_SIM_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                \
  LAB_SIM_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                        \
  LAB_SIM_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                           \
  LAB_SIM_ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")    \
  LAB_SIM_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                    \
  LAB_SIM_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                      \
  LAB_SIM_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                       \
  LAB_SIM_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                              \
  LAB_SIM_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                     \
  LAB_SIM_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")               \
  LAB_SIM_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                                             \
  LAB_SIM_ERROR(cudaErrorNotReady, 600, "device not ready")                                                         \
  LAB_SIM_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                           \
  LAB_SIM_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                      \
  LAB_SIM_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                             \
  LAB_SIM_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                           \
  LAB_SIM_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                             \
  LAB_SIM_ERROR(cudaErrorAssert, 710, "device-side assert triggered")                                               \
  LAB_SIM_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,                                                          \
                "part or all of the requested memory range is already mapped")                                      \
  LAB_SIM_ERROR(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  LAB_SIM_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                                              \
  LAB_SIM_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                          \
  LAB_SIM_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                   \
  LAB_SIM_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                                              \
  LAB_SIM_ERROR(cudaErrorNotSupported, 801, "operation not supported")                                              \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")         \
  LAB_SIM_ERROR(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")  \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnmatched, 903, "capture was not initiated in this stream")                   \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                          \
  LAB_SIM_ERROR(cudaErrorStreamCaptureImplicit, 906,                                                                \
                "operation would make the legacy stream depend on a capturing blocking stream")                     \
  LAB_SIM_ERROR(cudaErrorCapturedEvent, 907,                                                                        \
                "operation not permitted on an event last recorded in a capturing stream")                          \
  LAB_SIM_ERROR(cudaErrorUnknown, 999, "unknown error")

enum cudaError : int {
#define LAB_SIM_ERROR(name, number, text) name = number,
  LAB_SIM_ERRORS(LAB_SIM_ERROR)
#undef LAB_SIM_ERROR
};
typedef enum cudaError cudaError_t;
