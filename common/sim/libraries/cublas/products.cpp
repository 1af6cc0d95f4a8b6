#include "sim/libraries/cublas/blas.hpp"
#include "sim/libraries/cublas/calls.hpp"

// Products of general matrices: one, a batch at addresses, a batch at equal distances.

namespace blas = lab::sim::cublas;

namespace {

struct shape {
  cublasOperation_t opa, opb;
  int m, n, k, lda, ldb, ldc;

  int rows_a() const { return opa == CUBLAS_OP_N ? m : k; }
  int columns_a() const { return opa == CUBLAS_OP_N ? k : m; }
  int rows_b() const { return opb == CUBLAS_OP_N ? k : n; }
  int columns_b() const { return opb == CUBLAS_OP_N ? n : k; }
  bool wrong() const {
    const auto least = [](int rows) { return rows > 1 ? rows : 1; };
    return m < 0 || n < 0 || k < 0 || lda < least(rows_a()) || ldb < least(rows_b()) || ldc < least(m);
  }
};

template <class T>
void accesses(blas::work& call, const shape& s, const T* a, const T* b, T* c) {
  call.matrix(a, s.rows_a(), s.columns_a(), s.lda);
  call.matrix(b, s.rows_b(), s.columns_b(), s.ldb);
  call.matrix(c, s.m, s.n, s.ldc);
}

template <class T>
void multiply(const shape& s, T alpha, const T* a, const T* b, T beta, T* c) {
  blas::gemm(blas::blas(s.opa), blas::blas(s.opb), s.m, s.n, s.k, alpha, a, s.lda, b, s.ldb, beta, c, s.ldc);
}

template <class T>
cublasStatus_t gemm_strided(blas::work call, const shape& s, const T* alpha, const T* a, long long stride_a, const T* b,
                            long long stride_b, const T* beta, T* c, long long stride_c, int count) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (s.wrong() || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const auto x = call.number(alpha), y = call.number(beta);
  for (int i = 0; i < count; ++i) accesses(call, s, a + i * stride_a, b + i * stride_b, c + i * stride_c);
  return call.perform([=] {
    for (int i = 0; i < count; ++i) multiply(s, x.get(), a + i * stride_a, b + i * stride_b, y.get(), c + i * stride_c);
  });
}

// The addresses are in device memory, so the memory behind them is known only when the work is done.
template <class T>
cublasStatus_t gemm_batched(blas::work call, const shape& s, const T* alpha, const T* const* a, const T* const* b,
                            const T* beta, T* const* c, int count) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (s.wrong() || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const auto x = call.number(alpha), y = call.number(beta);
  const auto addresses = static_cast<std::size_t>(count) * sizeof(T*);
  for (const void* list : {static_cast<const void*>(a), static_cast<const void*>(b), static_cast<const void*>(c)})
    call.matrix_of_bytes(list, addresses, 1, addresses, false);
  std::vector<const T*> all_a, all_b;
  std::vector<T*> all_c;
  blas::work reading = call;
  const auto status =
      reading.perform([&] { all_a.assign(a, a + count), all_b.assign(b, b + count), all_c.assign(c, c + count); });
  if (status != CUBLAS_STATUS_SUCCESS || all_c.empty()) return status;
  for (std::size_t i = 0; i < all_c.size(); ++i) accesses(call, s, all_a[i], all_b[i], all_c[i]);
  return call.perform([=] {
    for (std::size_t i = 0; i < all_c.size(); ++i) multiply(s, x.get(), all_a[i], all_b[i], y.get(), all_c[i]);
  });
}

}  // namespace

#define LAB_ANY(X, T)                                                                                                  \
  cublasStatus_t cublas##X##gemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,    \
                                 int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                                 int ldc) {                                                                            \
    return gemm_strided({handle, LAB_CALL}, {opa, opb, m, n, k, lda, ldb, ldc}, alpha, a, 0, b, 0, beta, c, 0, 1);     \
  }                                                                                                                    \
  cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,    \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,               \
                                               long long stride_a, const T* b, int ldb, long long stride_b,            \
                                               const T* beta, T* c, int ldc, long long stride_c, int count) {          \
    return gemm_strided({handle, LAB_CALL}, {opa, opb, m, n, k, lda, ldb, ldc}, alpha, a, stride_a, b, stride_b, beta, \
                        c, stride_c, count);                                                                           \
  }
#define LAB_BATCHED(X, T)                                                                                              \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,    \
                                        int n, int k, const T* alpha, const T* const a[], int lda, const T* const b[], \
                                        int ldb, const T* beta, T* const c[], int ldc, int count) {                    \
    return gemm_batched({handle, LAB_CALL}, {opa, opb, m, n, k, lda, ldb, ldc}, alpha, a, b, beta, c, count);          \
  }
LAB_ANY(S, float)
LAB_ANY(D, double)
LAB_ANY(C, cuComplex)
LAB_ANY(Z, cuDoubleComplex)
LAB_BATCHED(S, float)
LAB_BATCHED(D, double)
