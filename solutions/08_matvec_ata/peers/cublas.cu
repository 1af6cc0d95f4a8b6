// link: cublas
#include <cublas_v2.h>

#include "lab.hpp"

// cuBLAS counts down the columns, so that to it our A is A^T: with `cols` rows and `rows` columns.
void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1, zero = 0;
  cublasSgemv(handle, CUBLAS_OP_T, cols, rows, &one, a, cols, v, 1, &zero, b, 1);
  cublasSgemv(handle, CUBLAS_OP_N, cols, rows, &one, a, cols, b, 1, &zero, c, 1);
}
