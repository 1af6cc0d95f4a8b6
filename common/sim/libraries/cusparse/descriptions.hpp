#pragma once

#include <cstddef>
#include <cstdint>

#include "cusparse.h"

// What the descriptions of matrices and vectors hold.

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointers = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseSpMatDescr {
  std::int64_t rows, columns, count;
  bool by_offsets;  // CSR: `rows_at` are offsets of rows; else each element has its row
  const void* rows_at;
  const void* indices;  // columns
  const void* values;
  cusparseIndexType_t rows_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  std::int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  std::int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
};

namespace lab::sim::cusparse {

inline std::size_t bytes_of(cudaDataType type) { return type == CUDA_R_32F ? 4 : type == CUDA_R_64F ? 8 : 0; }
inline std::size_t bytes_of(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; }

}  // namespace lab::sim::cusparse
