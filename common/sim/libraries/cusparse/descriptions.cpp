#include "sim/libraries/cusparse/descriptions.hpp"

#include <map>

using namespace lab::sim::cusparse;

namespace {

const std::map<cusparseStatus_t, const char*> names = {
    {CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS"},
    {CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED"},
    {CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED"},
    {CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE"},
    {CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH"},
    {CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR"},
    {CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR"},
    {CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED"},
    {CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT"},
    {CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED"},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"},
};

template <class T>
cusparseStatus_t make(T** to, const T& what) {
  *to = new T{what};
  return CUSPARSE_STATUS_SUCCESS;
}

template <class T>
cusparseStatus_t destroy(const T* what) {
  delete what;
  return what ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

bool indexable(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I; }

}  // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return handle ? make(handle, cusparseContext{}) : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) { return destroy(handle); }
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* version) {
  *version = 12600;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *mode = handle->pointers;
  return CUSPARSE_STATUS_SUCCESS;
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  const auto found = names.find(status);
  return found == names.end() ? "an unknown status" : found->second;
}
const char* cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,
                                   void* offsets, void* indices, void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  if (!matrix || rows < 0 || columns < 0 || count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!indexable(offset_type) || !indexable(index_type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return make(matrix, {rows, columns, count, true, offsets, indices, values, offset_type, index_type, base, type});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,
                                   void* row_indices, void* indices, void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  if (!matrix || rows < 0 || columns < 0 || count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!indexable(index_type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return make(matrix, {rows, columns, count, false, row_indices, indices, values, index_type, index_type, base, type});
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) { return destroy(matrix); }
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type) {
  return vector && size >= 0 ? make(vector, {size, values, type}) : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) { return destroy(vector); }
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  if (!vector) return CUSPARSE_STATUS_INVALID_VALUE;
  vector->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t ld,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  if (!matrix || rows < 0 || columns < 0 || ld < (order == CUSPARSE_ORDER_COL ? rows : columns))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(matrix, {rows, columns, ld, values, type, order});
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) { return destroy(matrix); }
