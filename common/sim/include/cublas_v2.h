#pragma once

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "lab_sim/libraries/cublas_types.h"
#include "library_types.h"

// cuBLAS of the simulator, on OpenBLAS. Matrices are stored by columns; ld is the distance of two columns.

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VERSION 130100

extern "C" {
// The library, and how it works.
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies between host and device.
cublasStatus_t cublasSetVector(int n, int element, const void* from, int from_step, void* to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int cols, int element, const void* from, int from_ld, void* to, int to_ld);
cublasStatus_t cublasSetVectorAsync(int n, int element, const void* from, int from_step, void* to, int to_step,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int element, const void* from, int from_ld, void* to, int to_ld,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVector(int n, int element, const void* from, int from_step, void* to, int to_step);
cublasStatus_t cublasGetMatrix(int rows, int cols, int element, const void* from, int from_ld, void* to, int to_ld);
cublasStatus_t cublasGetVectorAsync(int n, int element, const void* from, int from_step, void* to, int to_step,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int element, const void* from, int from_ld, void* to, int to_ld,
                                    cudaStream_t stream);

// Vectors.
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasScnrm2(cublasHandle_t handle, int n, const cuComplex* x, int incx, float* result);
cublasStatus_t cublasDznrm2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, double* result);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                          float* result);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double* x, int incx, const double* y, int incy,
                          double* result);
cublasStatus_t cublasCdotu(cublasHandle_t handle, int n, const cuComplex* x, int incx, const cuComplex* y, int incy,
                           cuComplex* result);
cublasStatus_t cublasZdotu(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y,
                           int incy, cuDoubleComplex* result);
cublasStatus_t cublasCdotc(cublasHandle_t handle, int n, const cuComplex* x, int incx, const cuComplex* y, int incy,
                           cuComplex* result);
cublasStatus_t cublasZdotc(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y,
                           int incy, cuDoubleComplex* result);
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y,
                           int incy);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double* alpha, const double* x, int incx, double* y,
                           int incy);
cublasStatus_t cublasCaxpy(cublasHandle_t handle, int n, const cuComplex* alpha, const cuComplex* x, int incx,
                           cuComplex* y, int incy);
cublasStatus_t cublasZaxpy(cublasHandle_t handle, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* x,
                           int incx, cuDoubleComplex* y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx);
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double* alpha, double* x, int incx);
cublasStatus_t cublasCscal(cublasHandle_t handle, int n, const cuComplex* alpha, cuComplex* x, int incx);
cublasStatus_t cublasZscal(cublasHandle_t handle, int n, const cuDoubleComplex* alpha, cuDoubleComplex* x, int incx);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int incx, float* y, int incy);
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double* x, int incx, double* y, int incy);
cublasStatus_t cublasCcopy(cublasHandle_t handle, int n, const cuComplex* x, int incx, cuComplex* y, int incy);
cublasStatus_t cublasZcopy(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, cuDoubleComplex* y,
                           int incy);
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy);
cublasStatus_t cublasCswap(cublasHandle_t handle, int n, cuComplex* x, int incx, cuComplex* y, int incy);
cublasStatus_t cublasZswap(cublasHandle_t handle, int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy);
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy, const float* c,
                          const float* s);
cublasStatus_t cublasDrot(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy, const double* c,
                          const double* s);

// A matrix and vectors.
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const double* alpha,
                           const double* a, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasCgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const cuComplex* alpha,
                           const cuComplex* a, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasZgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx,
                          const float* y, int incy, float* a, int lda);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x, int incx,
                          const double* y, int incy, double* a, int lda);
cublasStatus_t cublasSsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha, const float* a,
                           int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasDsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha, const double* a,
                           int lda, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasSsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha, const float* x,
                          int incx, float* a, int lda);
cublasStatus_t cublasDsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha, const double* x,
                          int incx, double* a, int lda);
cublasStatus_t cublasStrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, int lda, float* x, int incx);
cublasStatus_t cublasDtrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, int lda, double* x, int incx);
cublasStatus_t cublasStrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, int lda, float* x, int incx);
cublasStatus_t cublasDtrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, int lda, double* x, int incx);

// Matrices.
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta,
                           float* c, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                           double* c, int ldc);
cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                           const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda, const cuDoubleComplex* b,
                           int ldb, const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb, const __half* beta,
                           __half* c, int ldc);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                  int k, const float* alpha, const float* const a[], int lda, const float* const b[],
                                  int ldb, const float* beta, float* const c[], int ldc, int count);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                  int k, const double* alpha, const double* const a[], int lda, const double* const b[],
                                  int ldb, const double* beta, double* const c[], int ldc, int count);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                         int n, int k, const float* alpha, const float* a, int lda, long long stride_a,
                                         const float* b, int ldb, long long stride_b, const float* beta, float* c,
                                         int ldc, long long stride_c, int count);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                         int n, int k, const double* alpha, const double* a, int lda,
                                         long long stride_a, const double* b, int ldb, long long stride_b,
                                         const double* beta, double* c, int ldc, long long stride_c, int count);
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                         int n, int k, const cuComplex* alpha, const cuComplex* a, int lda,
                                         long long stride_a, const cuComplex* b, int ldb, long long stride_b,
                                         const cuComplex* beta, cuComplex* c, int ldc, long long stride_c, int count);
cublasStatus_t cublasZgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                         int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                                         long long stride_a, const cuDoubleComplex* b, int ldb, long long stride_b,
                                         const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc, long long stride_c,
                                         int count);
cublasStatus_t cublasSsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta,
                           float* c, int ldc);
cublasStatus_t cublasDsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                           double* c, int ldc);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const float* alpha, const float* a, int lda, const float* beta, float* c, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const double* a, int lda, const double* beta, double* c, int ldc);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int m, int n, const float* alpha, const float* a, int lda,
                           float* b, int ldb);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int m, int n, const double* alpha, const double* a, int lda,
                           double* b, int ldb);
cublasStatus_t cublasStrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int m, int n, const float* alpha, const float* a, int lda,
                           const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasDtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int m, int n, const double* alpha, const double* a, int lda,
                           const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                           const float* alpha, const float* a, int lda, const float* beta, const float* b, int ldb,
                           float* c, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                           const double* alpha, const double* a, int lda, const double* beta, const double* b, int ldb,
                           double* c, int ldc);
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const float* a, int lda,
                           const float* x, int incx, float* c, int ldc);
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const double* a, int lda,
                           const double* x, int incx, double* c, int ldc);

// Matrices of the types that the arguments name.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
}

#include "lab_sim/libraries/cublas_lacks.h"
#include "lab_sim/libraries/cublas_names.h"
