#pragma once

#include <cblas.h>

#include "cublas_v2.h"

// The functions of OpenBLAS by the types of their arguments.

namespace lab::sim::cublas {

inline CBLAS_TRANSPOSE blas(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : op == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}
inline CBLAS_UPLO blas(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower; }
inline CBLAS_DIAG blas(cublasDiagType_t diagonal) { return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit; }
inline CBLAS_SIDE blas(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight; }

#define LAB_REAL(T, x)                                                                                               \
  inline void axpy(int n, T a, const T* u, int iu, T* v, int iv) { cblas_##x##axpy(n, a, u, iu, v, iv); }            \
  inline void scal(int n, T a, T* u, int iu) { cblas_##x##scal(n, a, u, iu); }                                       \
  inline void copy(int n, const T* u, int iu, T* v, int iv) { cblas_##x##copy(n, u, iu, v, iv); }                    \
  inline void swap(int n, T* u, int iu, T* v, int iv) { cblas_##x##swap(n, u, iu, v, iv); }                          \
  inline void rot(int n, T* u, int iu, T* v, int iv, T c, T s) { cblas_##x##rot(n, u, iu, v, iv, c, s); }            \
  inline T asum(int n, const T* u, int iu) { return cblas_##x##asum(n, u, iu); }                                     \
  inline T nrm2(int n, const T* u, int iu) { return cblas_##x##nrm2(n, u, iu); }                                     \
  inline T dot(int n, const T* u, int iu, const T* v, int iv) { return cblas_##x##dot(n, u, iu, v, iv); }            \
  inline void gemv(CBLAS_TRANSPOSE op, int m, int n, T alpha, const T* a, int lda, const T* u, int iu, T beta, T* v, \
                   int iv) {                                                                                         \
    cblas_##x##gemv(CblasColMajor, op, m, n, alpha, a, lda, u, iu, beta, v, iv);                                     \
  }                                                                                                                  \
  inline void gemm(CBLAS_TRANSPOSE opa, CBLAS_TRANSPOSE opb, int m, int n, int k, T alpha, const T* a, int lda,      \
                   const T* b, int ldb, T beta, T* c, int ldc) {                                                     \
    cblas_##x##gemm(CblasColMajor, opa, opb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                          \
  }
LAB_REAL(float, s)
LAB_REAL(double, d)
#undef LAB_REAL

#define LAB_COMPLEX(T, x)                                                                                            \
  inline void axpy(int n, T a, const T* u, int iu, T* v, int iv) { cblas_##x##axpy(n, &a, u, iu, v, iv); }           \
  inline void scal(int n, T a, T* u, int iu) { cblas_##x##scal(n, &a, u, iu); }                                      \
  inline void copy(int n, const T* u, int iu, T* v, int iv) { cblas_##x##copy(n, u, iu, v, iv); }                    \
  inline void swap(int n, T* u, int iu, T* v, int iv) { cblas_##x##swap(n, u, iu, v, iv); }                          \
  inline T dotu(int n, const T* u, int iu, const T* v, int iv) {                                                     \
    T sum{};                                                                                                         \
    cblas_##x##dotu_sub(n, u, iu, v, iv, &sum);                                                                      \
    return sum;                                                                                                      \
  }                                                                                                                  \
  inline T dotc(int n, const T* u, int iu, const T* v, int iv) {                                                     \
    T sum{};                                                                                                         \
    cblas_##x##dotc_sub(n, u, iu, v, iv, &sum);                                                                      \
    return sum;                                                                                                      \
  }                                                                                                                  \
  inline void gemv(CBLAS_TRANSPOSE op, int m, int n, T alpha, const T* a, int lda, const T* u, int iu, T beta, T* v, \
                   int iv) {                                                                                         \
    cblas_##x##gemv(CblasColMajor, op, m, n, &alpha, a, lda, u, iu, &beta, v, iv);                                   \
  }                                                                                                                  \
  inline void gemm(CBLAS_TRANSPOSE opa, CBLAS_TRANSPOSE opb, int m, int n, int k, T alpha, const T* a, int lda,      \
                   const T* b, int ldb, T beta, T* c, int ldc) {                                                     \
    cblas_##x##gemm(CblasColMajor, opa, opb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                        \
  }
LAB_COMPLEX(cuComplex, c)
LAB_COMPLEX(cuDoubleComplex, z)
#undef LAB_COMPLEX
inline float nrm2(int n, const cuComplex* u, int iu) { return cblas_scnrm2(n, u, iu); }
inline double nrm2(int n, const cuDoubleComplex* u, int iu) { return cblas_dznrm2(n, u, iu); }

}  // namespace lab::sim::cublas
