#include <cstring>

#include "sim/libraries/cublas/blas.hpp"
#include "sim/libraries/cublas/calls.hpp"

// Functions of symmetric, triangular and diagonal matrices, and sums of matrices.

namespace blas = lab::sim::cublas;

namespace {

bool wrong(int rows, int ld) { return rows < 0 || ld < (rows > 1 ? rows : 1); }

template <class T, class Action>
cublasStatus_t symm(blas::work call, cublasSideMode_t side, int m, int n, const T* alpha, const T* a, int lda,
                    const T* b, int ldb, const T* beta, T* c, int ldc, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (n < 0 || wrong(order, lda) || wrong(m, ldb) || wrong(m, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha), t = call.number(beta);
  call.matrix(a, order, order, lda);
  call.matrix(b, m, n, ldb);
  call.matrix(c, m, n, ldc);
  return call.perform([=] { action(s.get(), t.get()); });
}

template <class T, class Action>
cublasStatus_t syrk(blas::work call, cublasOperation_t op, int n, int k, const T* alpha, const T* a, int lda,
                    const T* beta, T* c, int ldc, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rows = op == CUBLAS_OP_N ? n : k;
  if (n < 0 || k < 0 || wrong(rows, lda) || wrong(n, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha), t = call.number(beta);
  call.matrix(a, rows, op == CUBLAS_OP_N ? k : n, lda);
  call.matrix(c, n, n, ldc);
  return call.perform([=] { action(s.get(), t.get()); });
}

// Of a triangular matrix: b is what it multiplies and c the result, which may be b.
template <class T, class Action>
cublasStatus_t triangular(blas::work call, cublasSideMode_t side, int m, int n, const T* alpha, const T* a, int lda,
                          const T* b, int ldb, T* c, int ldc, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (n < 0 || wrong(order, lda) || wrong(m, ldb) || wrong(m, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha);
  call.matrix(a, order, order, lda);
  if (b != c) call.matrix(b, m, n, ldb);
  call.matrix(c, m, n, ldc);
  return call.perform([=] {
    for (long j = 0; j < n && b != c; ++j)
      std::memcpy(c + j * ldc, b + j * ldb, static_cast<std::size_t>(m) * sizeof(T));
    action(s.get());
  });
}

template <class T>
T element(cublasOperation_t op, const T* a, int ld, long i, long j) {
  return op == CUBLAS_OP_N ? a[i + j * ld] : a[j + i * ld];
}

template <class T>
cublasStatus_t geam(blas::work call, cublasOperation_t opa, cublasOperation_t opb, int m, int n, const T* alpha,
                    const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool plain_a = opa == CUBLAS_OP_N, plain_b = opb == CUBLAS_OP_N;
  if (wrong(m, ldc) || n < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha), t = call.number(beta);
  if (a) call.matrix(a, plain_a ? m : n, plain_a ? n : m, lda);
  if (b) call.matrix(b, plain_b ? m : n, plain_b ? n : m, ldb);
  call.matrix(c, m, n, ldc);
  return call.perform([=] {
    const T x = s.get(), y = t.get();  // a matrix whose factor is zero is not read
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i)
        c[i + j * ldc] = (x == 0 ? 0 : x * element(opa, a, lda, i, j)) + (y == 0 ? 0 : y * element(opb, b, ldb, i, j));
  });
}

template <class T>
cublasStatus_t dgmm(blas::work call, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x, int incx,
                    T* c, int ldc) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || wrong(m, lda) || wrong(m, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const long count = left ? m : n, first = incx < 0 ? (1 - count) * incx : 0;
  call.matrix(a, m, n, lda);
  call.vector(x, static_cast<int>(count), incx);
  call.matrix(c, m, n, ldc);
  return call.perform([=] {
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) c[i + j * ldc] = a[i + j * lda] * x[first + (left ? i : j) * incx];
  });
}

}  // namespace

#define LAB_REAL(X, x, T)                                                                                              \
  cublasStatus_t cublas##X##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,    \
                                 const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,        \
                                 int ldc) {                                                                            \
    return symm({handle, LAB_CALL}, side, m, n, alpha, a, lda, b, ldb, beta, c, ldc, [=](T s, T t) {                   \
      cblas_##x##symm(CblasColMajor, blas::blas(side), blas::blas(fill), m, n, s, a, lda, b, ldb, t, c, ldc);          \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##X##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,     \
                                 const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {                  \
    return syrk({handle, LAB_CALL}, op, n, k, alpha, a, lda, beta, c, ldc, [=](T s, T t) {                             \
      cblas_##x##syrk(CblasColMajor, blas::blas(fill), blas::blas(op), n, k, s, a, lda, t, c, ldc);                    \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,                  \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,        \
                                 const T* a, int lda, T* b, int ldb) {                                                 \
    return triangular({handle, LAB_CALL}, side, m, n, alpha, a, lda, static_cast<const T*>(b), ldb, b, ldb, [=](T s) { \
      cblas_##x##trsm(CblasColMajor, blas::blas(side), blas::blas(fill), blas::blas(op), blas::blas(diagonal), m, n,   \
                      s, a, lda, b, ldb);                                                                              \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##X##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,                  \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,        \
                                 const T* a, int lda, const T* b, int ldb, T* c, int ldc) {                            \
    return triangular({handle, LAB_CALL}, side, m, n, alpha, a, lda, b, ldb, c, ldc, [=](T s) {                        \
      cblas_##x##trmm(CblasColMajor, blas::blas(side), blas::blas(fill), blas::blas(op), blas::blas(diagonal), m, n,   \
                      s, a, lda, c, ldc);                                                                              \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##X##geam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,    \
                                 const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c,        \
                                 int ldc) {                                                                            \
    return geam({handle, LAB_CALL}, opa, opb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                              \
  }                                                                                                                    \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a, int lda,      \
                                 const T* x, int incx, T* c, int ldc) {                                                \
    return dgmm({handle, LAB_CALL}, side, m, n, a, lda, x, incx, c, ldc);                                              \
  }
LAB_REAL(S, s, float)
LAB_REAL(D, d, double)
