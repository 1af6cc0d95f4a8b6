// link: cublas
#include <cublas_v2.h>

#include "lab.hpp"

static cublasHandle_t library() {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  return handle;
}

// cuBLAS stores matrices column by column, so our A is A^T to it: with `cols` rows and `rows` columns.
static void multiply(cublasOperation_t how, const float* a, const float* x, float* y, int rows, int cols) {
  const float one = 1, zero = 0;
  cublasSgemv(library(), how, cols, rows, &one, a, cols, x, 1, &zero, y, 1);
}

void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  multiply(CUBLAS_OP_T, a, v, b, rows, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  multiply(CUBLAS_OP_N, a, b, c, rows, cols);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  matrix_vector(a, v, b, rows, cols);
  transpose_vector(a, b, c, rows, cols);
}
