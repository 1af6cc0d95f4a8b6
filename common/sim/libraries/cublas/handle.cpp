#include <map>

#include "sim/libraries/cublas/calls.hpp"

// The handle of the library, and copies between host and device.

namespace {

template <class T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*member, T value) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*member, T* to) {
  if (!handle || !to) return handle ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
  *to = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t copy(int rows, int columns, int element, const void* from, int from_ld, void* to, int to_ld,
                    cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (rows < 0 || columns < 0 || element <= 0 || from_ld < rows || to_ld < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = [&](int count) { return static_cast<std::size_t>(count) * static_cast<std::size_t>(element); };
  const auto n = static_cast<std::size_t>(columns);
  const cudaError_t error =
      stream ? cudaMemcpy2DAsync(to, bytes(to_ld), from, bytes(from_ld), bytes(rows), n, kind, *stream)
             : cudaMemcpy2D(to, bytes(to_ld), from, bytes(from_ld), bytes(rows), n, kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

const std::map<cublasStatus_t, const char*> statuses = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR"},
};

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  lab::sim::wait_for_library(handle->stream);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

#define LAB_PROPERTY(name, type, member)                               \
  cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {  \
    return set(handle, &cublasContext::member, value);                 \
  }                                                                    \
  cublasStatus_t cublasGet##name(cublasHandle_t handle, type* value) { \
    return get(handle, &cublasContext::member, value);                 \
  }
LAB_PROPERTY(Stream, cudaStream_t, stream)
LAB_PROPERTY(PointerMode, cublasPointerMode_t, pointers)
LAB_PROPERTY(MathMode, cublasMath_t, math)
LAB_PROPERTY(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef LAB_PROPERTY

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  const auto found = statuses.find(status);
  return found == statuses.end() ? "an unknown status" : found->second;
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

#define LAB_COPIES(name, kind)                                                                                         \
  cublasStatus_t cublas##name##Vector(int n, int element, const void* from, int from_step, void* to, int to_step) {    \
    return copy(1, n, element, from, from_step, to, to_step, kind, nullptr);                                           \
  }                                                                                                                    \
  cublasStatus_t cublas##name##VectorAsync(int n, int element, const void* from, int from_step, void* to, int to_step, \
                                           cudaStream_t stream) {                                                      \
    return copy(1, n, element, from, from_step, to, to_step, kind, &stream);                                           \
  }                                                                                                                    \
  cublasStatus_t cublas##name##Matrix(int rows, int cols, int element, const void* from, int from_ld, void* to,        \
                                      int to_ld) {                                                                     \
    return copy(rows, cols, element, from, from_ld, to, to_ld, kind, nullptr);                                         \
  }                                                                                                                    \
  cublasStatus_t cublas##name##MatrixAsync(int rows, int cols, int element, const void* from, int from_ld, void* to,   \
                                           int to_ld, cudaStream_t stream) {                                           \
    return copy(rows, cols, element, from, from_ld, to, to_ld, kind, &stream);                                         \
  }
LAB_COPIES(Set, cudaMemcpyHostToDevice)
LAB_COPIES(Get, cudaMemcpyDeviceToHost)
#undef LAB_COPIES
