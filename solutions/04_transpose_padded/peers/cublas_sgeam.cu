// link: cublas
// unjudged: cuBLAS multiplies by one, which makes one and the same NaN of all integers that look like a NaN
#include <cublas_v2.h>

#include "lab.hpp"

// cuBLAS has no transpose of integers, but one of floats, which are as large. It counts down the columns: what is a
// matrix of rows x cols to us is one of cols x rows to it.
void transpose(const int* in, int* out, int rows, int cols) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1, zero = 0;
  const auto* from = reinterpret_cast<const float*>(in);
  auto* to = reinterpret_cast<float*>(out);
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, from, cols, &zero, to, rows, to, rows);
}
