#include <cmath>

#include "sim/libraries/cublas/blas.hpp"
#include "sim/libraries/cublas/calls.hpp"

// Functions of vectors.

namespace blas = lab::sim::cublas;

namespace {

// The position, from 1 on, of the first element whose size no other one exceeds; 0 if there is none.
template <class T, class Exceeds>
int extreme(int n, const T* x, int step, Exceeds exceeds) {
  if (n <= 0 || step <= 0) return 0;
  int found = 0;
  for (int i = 1; i < n; ++i)
    if (exceeds(std::abs(x[static_cast<long>(i) * step]), std::abs(x[static_cast<long>(found) * step]))) found = i;
  return found + 1;
}

template <class R, class T, class Sum>
cublasStatus_t of_one(blas::work call, int n, const T* x, int incx, R* result, Sum sum) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (n > 0) call.vector(x, n, incx);
  return call.result(result, [=] { return n > 0 && incx > 0 ? sum(n, x, incx) : R{}; });
}

template <class T, class Sum>
cublasStatus_t of_two(blas::work call, int n, const T* x, int incx, const T* y, int incy, T* result, Sum sum) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (n > 0) call.vector(x, n, incx), call.vector(y, n, incy);
  return call.result(result, [=] { return n > 0 ? sum(n, x, incx, y, incy) : T{}; });
}

// X is const for an operation that only reads x.
template <class X, class T, class Change>
cublasStatus_t change(blas::work call, int n, X* x, int incx, T* y, int incy, Change action) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.perform([=] { action(n, x, incx, y, incy); });
}

template <class T>
cublasStatus_t axpy(blas::work call, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto a = call.number(alpha);
  return change(call, n, x, incx, y, incy,
                [=](int count, const T* u, int iu, T* v, int iv) { blas::axpy(count, a.get(), u, iu, v, iv); });
}

template <class T>
cublasStatus_t scal(blas::work call, int n, const T* alpha, T* x, int incx) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto a = call.number(alpha);
  call.vector(x, n, incx);
  return call.perform([=] { blas::scal(n, a.get(), x, incx); });
}

template <class T>
cublasStatus_t rot(blas::work call, int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto cosine = call.number(c), sine = call.number(s);
  return change(call, n, x, incx, y, incy, [=](int count, T* u, int iu, T* v, int iv) {
    blas::rot(count, u, iu, v, iv, cosine.get(), sine.get());
  });
}

}  // namespace

#define LAB_OF_ONE(name, T, R, ...)                                                    \
  cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, R* result) { \
    return of_one({handle, LAB_CALL}, n, x, incx, result,                              \
                  [](int count, const T* u, int iu) -> R { return __VA_ARGS__; });     \
  }
#define LAB_OF_TWO(name, T, sum)                                                                                     \
  cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result) {         \
    return of_two({handle, LAB_CALL}, n, x, incx, y, incy, result,                                                   \
                  [](int count, const T* u, int iu, const T* v, int iv) { return blas::sum(count, u, iu, v, iv); }); \
  }
#define LAB_ANY(X, T)                                                                                                  \
  cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy) { \
    return axpy({handle, LAB_CALL}, n, alpha, x, incx, y, incy);                                                       \
  }                                                                                                                    \
  cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {                       \
    return scal({handle, LAB_CALL}, n, alpha, x, incx);                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##X##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {                 \
    return change({handle, LAB_CALL}, n, x, incx, y, incy,                                                             \
                  [](int count, const T* u, int iu, T* v, int iv) { blas::copy(count, u, iu, v, iv); });               \
  }                                                                                                                    \
  cublasStatus_t cublas##X##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {                       \
    return change({handle, LAB_CALL}, n, x, incx, y, incy,                                                             \
                  [](int count, T* u, int iu, T* v, int iv) { blas::swap(count, u, iu, v, iv); });                     \
  }
#define LAB_REAL(X, letter, T)                                                                            \
  LAB_ANY(X, T)                                                                                           \
  LAB_OF_ONE(cublasI##letter##amax, T, int, extreme(count, u, iu, [](T a, T b) { return a > b; }))        \
  LAB_OF_ONE(cublasI##letter##amin, T, int, extreme(count, u, iu, [](T a, T b) { return a < b; }))        \
  LAB_OF_ONE(cublas##X##asum, T, T, blas::asum(count, u, iu))                                             \
  LAB_OF_ONE(cublas##X##nrm2, T, T, blas::nrm2(count, u, iu))                                             \
  LAB_OF_TWO(cublas##X##dot, T, dot)                                                                      \
  cublasStatus_t cublas##X##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c, \
                                const T* s) {                                                             \
    return rot({handle, LAB_CALL}, n, x, incx, y, incy, c, s);                                            \
  }
LAB_REAL(S, s, float)
LAB_REAL(D, d, double)
LAB_ANY(C, cuComplex)
LAB_ANY(Z, cuDoubleComplex)
LAB_OF_ONE(cublasScnrm2, cuComplex, float, blas::nrm2(count, u, iu))
LAB_OF_ONE(cublasDznrm2, cuDoubleComplex, double, blas::nrm2(count, u, iu))
LAB_OF_TWO(cublasCdotu, cuComplex, dotu)
LAB_OF_TWO(cublasCdotc, cuComplex, dotc)
LAB_OF_TWO(cublasZdotu, cuDoubleComplex, dotu)
LAB_OF_TWO(cublasZdotc, cuDoubleComplex, dotc)
