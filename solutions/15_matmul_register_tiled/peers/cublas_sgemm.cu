// link: cublas
#include <cublas_v2.h>

#include "lab.hpp"

// cuBLAS counts down the columns, so that it sees c^T = b^T a^T. Its default is full float precision, without TF32.
void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, p, n, m, &one, b, p, a, m, &zero, c, p);
}
