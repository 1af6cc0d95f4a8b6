#include "cuda_bf16.h"
#include "sim/libraries/cublas/blas.hpp"
#include "sim/libraries/cublas/calls.hpp"

// Products of matrices whose elements have the types that the arguments name. Narrow elements are widened, multiplied
// and summed as floats, and each result is rounded once.

namespace blas = lab::sim::cublas;

namespace {

struct operand {
  const void* at;
  cudaDataType type;
  int ld;
  long long stride;
};

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

template <class Number>
Number element(const void* from, cudaDataType type, long at) {
  switch (type) {
    case CUDA_R_8I:
      return static_cast<Number>(static_cast<const signed char*>(from)[at]);
    case CUDA_R_16F:
      return static_cast<Number>(static_cast<float>(static_cast<const __half*>(from)[at]));
    case CUDA_R_16BF:
      return static_cast<Number>(static_cast<float>(static_cast<const __nv_bfloat16*>(from)[at]));
    case CUDA_R_32F:
      return static_cast<Number>(static_cast<const float*>(from)[at]);
    case CUDA_R_32I:
      return static_cast<Number>(static_cast<const int*>(from)[at]);
    default:
      return static_cast<Number>(static_cast<const double*>(from)[at]);
  }
}

template <class Number>
void store(void* to, cudaDataType type, long at, Number value) {
  switch (type) {
    case CUDA_R_8I:
      static_cast<signed char*>(to)[at] = static_cast<signed char>(value);
      break;
    case CUDA_R_16F:
      static_cast<__half*>(to)[at] = __half(static_cast<float>(value));
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(to)[at] = __nv_bfloat16(static_cast<float>(value));
      break;
    case CUDA_R_32F:
      static_cast<float*>(to)[at] = static_cast<float>(value);
      break;
    case CUDA_R_32I:
      static_cast<int*>(to)[at] = static_cast<int>(value);
      break;
    default:
      static_cast<double*>(to)[at] = static_cast<double>(value);
  }
}

template <class Number>
std::vector<Number> widened(const operand& o, const void* at, int rows, int columns) {
  std::vector<Number> all(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < rows; ++i)
      all[static_cast<std::size_t>(i + j * rows)] = element<Number>(at, o.type, i + j * o.ld);
  return all;
}

struct product {
  cublasOperation_t opa, opb;
  int m, n, k;
  operand a, b, c;
  int count;
  cublasComputeType_t compute;

  int rows_a() const { return opa == CUBLAS_OP_N ? m : k; }
  int columns_a() const { return opa == CUBLAS_OP_N ? k : m; }
  int rows_b() const { return opb == CUBLAS_OP_N ? k : n; }
  int columns_b() const { return opb == CUBLAS_OP_N ? n : k; }
  bool of_integers() const { return compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC; }
  bool of_doubles() const { return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC; }
  bool of_halves() const { return compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC; }
  cudaDataType scale() const {
    return of_integers() ? CUDA_R_32I : of_doubles() ? CUDA_R_64F : of_halves() ? CUDA_R_16F : CUDA_R_32F;
  }

  static const void* of_batch(const operand& o, int i) {
    return static_cast<const char*>(o.at) + i * o.stride * static_cast<long long>(bytes_of(o.type));
  }

  // Integers of 8 bits are exact as doubles, which BLAS multiplies; so are their sums.
  template <class Number>
  void multiply(double alpha, double beta) const {
    for (int i = 0; i < count; ++i) {
      const auto x = widened<Number>(a, of_batch(a, i), rows_a(), columns_a());
      const auto y = widened<Number>(b, of_batch(b, i), rows_b(), columns_b());
      std::vector<Number> z(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
      blas::gemm(blas::blas(opa), blas::blas(opb), m, n, k, static_cast<Number>(alpha), x.data(),
                 rows_a() > 0 ? rows_a() : 1, y.data(), rows_b() > 0 ? rows_b() : 1, Number{0}, z.data(), m);
      void* const to = const_cast<void*>(of_batch(c, i));
      for (long q = 0; q < n; ++q)
        for (long p = 0; p < m; ++p) {
          Number value = z[static_cast<std::size_t>(p + q * m)];
          if (beta != 0) value += static_cast<Number>(beta) * element<Number>(to, c.type, p + q * c.ld);
          store(to, c.type, p + q * c.ld, value);
        }
    }
  }
};

cublasStatus_t multiply(blas::work call, const product& p, const void* alpha, const void* beta) {
  if (!call.valid()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto& o : {p.a, p.b, p.c})
    if (bytes_of(o.type) == 0) {
      lab::sim::say_unsupported(call.by(), "matrices of this type");
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
  if (p.m == 0 || p.n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto memory = [&](const operand& o, int rows, int columns, bool writes) {
    for (int i = 0; i < p.count; ++i)
      call.matrix_of_bytes(product::of_batch(o, i), static_cast<std::size_t>(rows) * bytes_of(o.type),
                           static_cast<std::size_t>(columns), static_cast<std::size_t>(o.ld) * bytes_of(o.type),
                           writes);
  };
  const bool on_device = call.numbers_on_device();
  if (on_device)
    for (const void* number : {alpha, beta})
      call.matrix_of_bytes(number, bytes_of(p.scale()), 1, bytes_of(p.scale()), false);
  const double s = on_device ? 0 : element<double>(alpha, p.scale(), 0);
  const double t = on_device ? 0 : element<double>(beta, p.scale(), 0);
  memory(p.a, p.rows_a(), p.columns_a(), false);
  memory(p.b, p.rows_b(), p.columns_b(), false);
  memory(p.c, p.m, p.n, true);
  return call.perform([=] {
    const double x = on_device ? element<double>(alpha, p.scale(), 0) : s;
    const double y = on_device ? element<double>(beta, p.scale(), 0) : t;
    p.of_integers() || p.of_doubles() ? p.multiply<double>(x, y) : p.multiply<float>(x, y);
  });
}

}  // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply({handle, LAB_CALL},
                  {opa, opb, m, n, k, {a, type_a, lda, 0}, {b, type_b, ldb, 0}, {c, type_c, ldc, 0}, 1, compute}, alpha,
                  beta);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return multiply({handle, LAB_CALL},
                  {opa,
                   opb,
                   m,
                   n,
                   k,
                   {a, type_a, lda, stride_a},
                   {b, type_b, ldb, stride_b},
                   {c, type_c, ldc, stride_c},
                   count,
                   compute},
                  alpha, beta);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb, const __half* beta,
                           __half* c, int ldc) {
  return multiply({handle, LAB_CALL},
                  {opa,
                   opb,
                   m,
                   n,
                   k,
                   {a, CUDA_R_16F, lda, 0},
                   {b, CUDA_R_16F, ldb, 0},
                   {c, CUDA_R_16F, ldc, 0},
                   1,
                   CUBLAS_COMPUTE_16F},
                  alpha, beta);
}
