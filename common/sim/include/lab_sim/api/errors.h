#pragma once

// CUDA's error codes: LAB_SIM_ERROR(name, number, text).
#define LAB_SIM_ERRORS(LAB_SIM_ERROR)                                                                                  \
  LAB_SIM_ERROR(cudaSuccess, 0, "no error")                                                                            \
  LAB_SIM_ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                                          \
  LAB_SIM_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                                         \
  LAB_SIM_ERROR(cudaErrorInitializationError, 3, "initialization error")                                               \
  LAB_SIM_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                                                   \
  LAB_SIM_ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                 \
  LAB_SIM_ERROR(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")         \
  LAB_SIM_ERROR(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                                        \
  LAB_SIM_ERROR(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                        \
  LAB_SIM_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                    \
  LAB_SIM_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                              \
  LAB_SIM_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                   \
  LAB_SIM_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                               \
  LAB_SIM_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                           \
  LAB_SIM_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")                                              \
  LAB_SIM_ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                               \
  LAB_SIM_ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                   \
  LAB_SIM_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                              \
  LAB_SIM_ERROR(cudaErrorAddressOfConstant, 22, "invalid address of constant")                                         \
  LAB_SIM_ERROR(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                          \
  LAB_SIM_ERROR(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                         \
  LAB_SIM_ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                                 \
  LAB_SIM_ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")                \
  LAB_SIM_ERROR(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")               \
  LAB_SIM_ERROR(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")  \
  LAB_SIM_ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                         \
  LAB_SIM_ERROR(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")           \
  LAB_SIM_ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                                             \
  LAB_SIM_ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")       \
  LAB_SIM_ERROR(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")        \
  LAB_SIM_ERROR(cudaErrorInvalidSurface, 37, "invalid surface reference")                                              \
  LAB_SIM_ERROR(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")              \
  LAB_SIM_ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                       \
  LAB_SIM_ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                       \
  LAB_SIM_ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")                  \
  LAB_SIM_ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                                 \
  LAB_SIM_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                       \
  LAB_SIM_ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                         \
  LAB_SIM_ERROR(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")           \
  LAB_SIM_ERROR(cudaErrorLaunchFileScopedTex, 66,                                                                      \
                "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)") \
  LAB_SIM_ERROR(cudaErrorLaunchFileScopedSurf, 67,                                                                     \
                "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)") \
  LAB_SIM_ERROR(cudaErrorSyncDepthExceeded, 68,                                                                        \
                "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth")       \
  LAB_SIM_ERROR(cudaErrorLaunchPendingCountExceeded, 69,                                                               \
                "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")                     \
  LAB_SIM_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                         \
  LAB_SIM_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                          \
  LAB_SIM_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                 \
  LAB_SIM_ERROR(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                             \
  LAB_SIM_ERROR(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                               \
  LAB_SIM_ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                       \
  LAB_SIM_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                    \
  LAB_SIM_ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")                                           \
  LAB_SIM_ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                                \
  LAB_SIM_ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                            \
  LAB_SIM_ERROR(cudaErrorArrayIsMapped, 207, "array is mapped")                                                        \
  LAB_SIM_ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")                                                \
  LAB_SIM_ERROR(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")      \
  LAB_SIM_ERROR(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                            \
  LAB_SIM_ERROR(cudaErrorNotMapped, 211, "resource not mapped")                                                        \
  LAB_SIM_ERROR(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                        \
  LAB_SIM_ERROR(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                                    \
  LAB_SIM_ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                 \
  LAB_SIM_ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                         \
  LAB_SIM_ERROR(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")      \
  LAB_SIM_ERROR(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")         \
  LAB_SIM_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                              \
  LAB_SIM_ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                             \
  LAB_SIM_ERROR(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")         \
  LAB_SIM_ERROR(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                               \
  LAB_SIM_ERROR(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.")   \
  LAB_SIM_ERROR(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                              \
  LAB_SIM_ERROR(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")             \
  LAB_SIM_ERROR(cudaErrorUnsupportedDevSideSync, 225,                                                                  \
                "the provided PTX contains unsupported call to cudaDeviceSynchronize")                                 \
  LAB_SIM_ERROR(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error")          \
  LAB_SIM_ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                         \
  LAB_SIM_ERROR(cudaErrorFileNotFound, 301, "file not found")                                                          \
  LAB_SIM_ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                            \
  LAB_SIM_ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                           \
  LAB_SIM_ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                 \
  LAB_SIM_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                        \
  LAB_SIM_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                  \
  LAB_SIM_ERROR(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")                       \
  LAB_SIM_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                \
  LAB_SIM_ERROR(cudaErrorNotReady, 600, "device not ready")                                                            \
  LAB_SIM_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                              \
  LAB_SIM_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                         \
  LAB_SIM_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                \
  LAB_SIM_ERROR(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")                  \
  LAB_SIM_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                              \
  LAB_SIM_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                \
  LAB_SIM_ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                 \
  LAB_SIM_ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                              \
  LAB_SIM_ERROR(cudaErrorAssert, 710, "device-side assert triggered")                                                  \
  LAB_SIM_ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                        \
  LAB_SIM_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,                                                             \
                "part or all of the requested memory range is already mapped")                                         \
  LAB_SIM_ERROR(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")    \
  LAB_SIM_ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")                                              \
  LAB_SIM_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                            \
  LAB_SIM_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                                                 \
  LAB_SIM_ERROR(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")           \
  LAB_SIM_ERROR(cudaErrorInvalidPc, 718, "invalid program counter")                                                    \
  LAB_SIM_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                             \
  LAB_SIM_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                      \
  LAB_SIM_ERROR(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")                                  \
  LAB_SIM_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                                                 \
  LAB_SIM_ERROR(cudaErrorNotSupported, 801, "operation not supported")                                                 \
  LAB_SIM_ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")                                            \
  LAB_SIM_ERROR(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination") \
  LAB_SIM_ERROR(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")   \
  LAB_SIM_ERROR(cudaErrorMpsConnectionFailed, 805,                                                                     \
                "MPS client failed to connect to the MPS control daemon or the MPS server")                            \
  LAB_SIM_ERROR(cudaErrorMpsRpcFailure, 806,                                                                           \
                "the remote procedural call between the MPS server and the MPS client failed")                         \
  LAB_SIM_ERROR(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests")          \
  LAB_SIM_ERROR(cudaErrorMpsMaxClientsReached, 808,                                                                    \
                "the hardware resources required to create MPS client have been exhausted")                            \
  LAB_SIM_ERROR(cudaErrorMpsMaxConnectionsReached, 809,                                                                \
                "the hardware resources required to support device connections have been exhausted")                   \
  LAB_SIM_ERROR(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")                 \
  LAB_SIM_ERROR(cudaErrorCdpNotSupported, 811,                                                                         \
                "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it")     \
  LAB_SIM_ERROR(cudaErrorCdpVersionMismatch, 812,                                                                      \
                "unsupported interaction between different versions of CUDA Dynamic Parallelism")                      \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")            \
  LAB_SIM_ERROR(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")     \
  LAB_SIM_ERROR(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")   \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnmatched, 903, "capture was not initiated in this stream")                      \
  LAB_SIM_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                             \
  LAB_SIM_ERROR(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")       \
  LAB_SIM_ERROR(cudaErrorStreamCaptureImplicit, 906,                                                                   \
                "operation would make the legacy stream depend on a capturing blocking stream")                        \
  LAB_SIM_ERROR(cudaErrorCapturedEvent, 907,                                                                           \
                "operation not permitted on an event last recorded in a capturing stream")                             \
  LAB_SIM_ERROR(cudaErrorStreamCaptureWrongThread, 908,                                                                \
                "attempt to terminate a thread-local capture sequence from another thread")                            \
  LAB_SIM_ERROR(cudaErrorTimeout, 909, "wait operation timed out")                                                     \
  LAB_SIM_ERROR(cudaErrorGraphExecUpdateFailure, 910,                                                                  \
                "the graph update was not performed because it included changes which violated constraints specific "  \
                "to instantiated graph update")                                                                        \
  LAB_SIM_ERROR(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA")         \
  LAB_SIM_ERROR(cudaErrorInvalidClusterSize, 912,                                                                      \
                "a kernel launch error has occurred due to cluster misconfiguration")                                  \
  LAB_SIM_ERROR(cudaErrorFunctionNotLoaded, 913,                                                                       \
                "the function handle is not loaded when calling an API that requires a loaded function")               \
  LAB_SIM_ERROR(cudaErrorInvalidResourceType, 914,                                                                     \
                "one or more resources passed in are not valid resource types for the operation")                      \
  LAB_SIM_ERROR(cudaErrorInvalidResourceConfiguration, 915,                                                            \
                "one or more resources are insufficient or non-applicable for the operation")                          \
  LAB_SIM_ERROR(cudaErrorUnknown, 999, "unknown error")

enum cudaError : int {
#define LAB_SIM_ERROR(name, number, text) name = number,
  LAB_SIM_ERRORS(LAB_SIM_ERROR)
#undef LAB_SIM_ERROR
};
typedef enum cudaError cudaError_t;
