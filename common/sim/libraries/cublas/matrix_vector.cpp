#include "sim/libraries/cublas/blas.hpp"
#include "sim/libraries/cublas/calls.hpp"

// Functions of a matrix and vectors.

namespace blas = lab::sim::cublas;

namespace {

bool wrong(int m, int n, int lda) { return m < 0 || n < 0 || lda < (m > 1 ? m : 1); }

template <class T>
cublasStatus_t gemv(blas::work call, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wrong(m, n, lda) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha), t = call.number(beta);
  const bool plain = op == CUBLAS_OP_N;
  call.matrix(a, m, n, lda);
  call.vector(x, plain ? n : m, incx);
  call.vector(y, plain ? m : n, incy);
  return call.perform([=] { blas::gemv(blas::blas(op), m, n, s.get(), a, lda, x, incx, t.get(), y, incy); });
}

template <class T, class Action>
cublasStatus_t rank_one(blas::work call, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a,
                        int lda, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wrong(m, n, lda) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha);
  call.vector(x, m, incx);
  if (y) call.vector(y, n, incy);
  call.matrix(a, m, n, lda);
  return call.perform([=] { action(s.get()); });
}

template <class T, class Action>
cublasStatus_t symmetric(blas::work call, int n, const T* alpha, const T* a, int lda, const T* x, int incx,
                         const T* beta, T* y, int incy, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wrong(n, n, lda) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto s = call.number(alpha), t = call.number(beta);
  call.matrix(a, n, n, lda);
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.perform([=] { action(s.get(), t.get()); });
}

template <class T, class Action>
cublasStatus_t triangular(blas::work call, int n, const T* a, int lda, T* x, int incx, Action action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wrong(n, n, lda) || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  call.matrix(a, n, n, lda);
  call.vector(x, n, incx);
  return call.perform(action);
}

}  // namespace

#define LAB_GEMV(X, T)                                                                                       \
  cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,  \
                                 const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) { \
    return gemv({handle, LAB_CALL}, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                        \
  }
#define LAB_TRIANGULAR(X, c, T, name)                                                                             \
  cublasStatus_t cublas##X##name(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,              \
                                 cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int incx) {         \
    return triangular({handle, LAB_CALL}, n, a, lda, x, incx, [=] {                                               \
      cblas_##c##name(CblasColMajor, blas::blas(fill), blas::blas(op), blas::blas(diagonal), n, a, lda, x, incx); \
    });                                                                                                           \
  }
#define LAB_REAL(X, c, T)                                                                                              \
  LAB_GEMV(X, T)                                                                                                       \
  LAB_TRIANGULAR(X, c, T, trmv)                                                                                        \
  LAB_TRIANGULAR(X, c, T, trsv)                                                                                        \
  cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, \
                                int incy, T* a, int lda) {                                                             \
    return rank_one({handle, LAB_CALL}, m, n, alpha, x, incx, y, incy, a, lda,                                         \
                    [=](T s) { cblas_##c##ger(CblasColMajor, m, n, s, x, incx, y, incy, a, lda); });                   \
  }                                                                                                                    \
  cublasStatus_t cublas##X##syr(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha, const T* x,       \
                                int incx, T* a, int lda) {                                                             \
    return rank_one({handle, LAB_CALL}, n, n, alpha, x, incx, static_cast<const T*>(nullptr), 1, a, lda,               \
                    [=](T s) { cblas_##c##syr(CblasColMajor, blas::blas(fill), n, s, x, incx, a, lda); });             \
  }                                                                                                                    \
  cublasStatus_t cublas##X##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha, const T* a,      \
                                 int lda, const T* x, int incx, const T* beta, T* y, int incy) {                       \
    return symmetric({handle, LAB_CALL}, n, alpha, a, lda, x, incx, beta, y, incy, [=](T s, T t) {                     \
      cblas_##c##symv(CblasColMajor, blas::blas(fill), n, s, a, lda, x, incx, t, y, incy);                             \
    });                                                                                                                \
  }
LAB_REAL(S, s, float)
LAB_REAL(D, d, double)
LAB_GEMV(C, cuComplex)
LAB_GEMV(Z, cuDoubleComplex)
