// cuBLAS beside kernels, with numbers on the host and on the device.
// prints: axpy 12 24 36 dot 168 nrm2 5 asum 9 largest at 3 smallest at 1
// prints: on the device 336
// prints: gemm 19 43 22 50
// prints: transposed 26 38 30 44
// prints: gemv 17 39 ger 4 8 5 10
// prints: strided 1 2 3 4 | 2 4 6 8
// prints: batched 7 15 10 22
// prints: solved 2 3
// prints: geam 3 7 8 12
// prints: half 11 23
// prints: integers 5 11
// prints: complex -1 3
// prints: in a stream 6 after a kernel
// prints: from a graph 9
// prints: CUBLAS_STATUS_INVALID_VALUE
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

template <class T>
T* on_device(const std::vector<T>& values) {
  T* d;
  cudaMalloc(&d, values.size() * sizeof(T));
  cublasSetVector(static_cast<int>(values.size()), sizeof(T), values.data(), 1, d, 1);
  return d;
}

template <class T>
std::vector<T> back(const T* d, int n) {
  std::vector<T> values(n);
  cublasGetVector(n, sizeof(T), d, 1, values.data(), 1);
  return values;
}

__global__ void set(float* p, float value) { p[threadIdx.x] = value; }

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, two = 2, zero = 0;

  float* x = on_device<float>({1, 2, 3});
  float* y = on_device<float>({10, 20, 30});
  cublasSaxpy(handle, 3, &two, x, 1, y, 1);
  auto v = back(y, 3);
  float dot, norm, sum;
  float* mixed = on_device<float>({-2, 3, -4});
  int largest, smallest;
  cublasSdot(handle, 3, x, 1, y, 1, &dot);
  float* pair = on_device<float>({3, 4});
  cublasSnrm2(handle, 2, pair, 1, &norm);
  cublasSasum(handle, 3, mixed, 1, &sum);
  cublasIsamax(handle, 3, mixed, 1, &largest);
  cublasIsamin(handle, 3, mixed, 1, &smallest);
  std::printf("axpy %g %g %g dot %g nrm2 %g asum %g largest at %d smallest at %d\n", v[0], v[1], v[2],
              dot, norm, sum, largest, smallest);

  float* result = on_device<float>({0});
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  float* factor = on_device<float>({2});
  cublasSscal(handle, 3, factor, x, 1);
  cublasSdot(handle, 3, x, 1, y, 1, result);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  std::printf("on the device %g\n", back(result, 1)[0]);

  // By columns: a = [1 2; 3 4], b = [5 6; 7 8], a b = [19 22; 43 50].
  float* a = on_device<float>({1, 3, 2, 4});
  float* b = on_device<float>({5, 7, 6, 8});
  float* c = on_device<float>({0, 0, 0, 0});
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2);
  v = back(c, 4);
  std::printf("gemm %g %g %g %g\n", v[0], v[1], v[2], v[3]);
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2);
  v = back(c, 4);
  std::printf("transposed %g %g %g %g\n", v[0], v[1], v[2], v[3]);

  float* u = on_device<float>({5, 6});
  float* w = on_device<float>({0, 0});
  cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 2, u, 1, &zero, w, 1);
  v = back(w, 2);
  std::printf("gemv %g %g", v[0], v[1]);
  float* s = on_device<float>({1, 2});
  float* t = on_device<float>({4, 5});
  cudaMemset(c, 0, 16);
  cublasSger(handle, 2, 2, &one, s, 1, t, 1, c, 2);
  v = back(c, 4);
  std::printf(" ger %g %g %g %g\n", v[0], v[1], v[2], v[3]);

  // A batch of two: the identity and twice the identity, times [1 3; 2 4] by columns.
  float* identities = on_device<float>({1, 0, 0, 1, 2, 0, 0, 2});
  float* same = on_device<float>({1, 2, 3, 4});
  float* products = on_device<float>(std::vector<float>(8));
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, identities, 2, 4, same, 2, 0, &zero,
                            products, 2, 4, 2);
  v = back(products, 8);
  std::printf("strided %g %g %g %g | %g %g %g %g\n", v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
  const float** list_a = on_device<const float*>({a});
  const float** list_b = on_device<const float*>({a});
  float** list_c = on_device<float*>({c});
  cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, list_a, 2, list_b, 2, &zero, list_c, 2, 1);
  v = back(c, 4);
  std::printf("batched %g %g %g %g\n", v[0], v[1], v[2], v[3]);

  // [2 0; 1 3] z = [4; 11], so z = [2; 3].
  double* lower = on_device<double>({2, 1, 0, 3});
  double* right = on_device<double>({4, 11});
  const double unit = 1;
  cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1, &unit, lower,
              2, right, 2);
  const auto solved = back(right, 2);
  std::printf("solved %g %g\n", solved[0], solved[1]);

  // a + its transpose's double: [1 2; 3 4] + 2 [1 3; 2 4] by rows.
  cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, &one, a, 2, &two, a, 2, c, 2);
  v = back(c, 4);
  std::printf("geam %g %g %g %g\n", v[0], v[1], v[2], v[3]);

  __half* ha = on_device<__half>({__half(1.0f), __half(3.0f), __half(2.0f), __half(4.0f)});
  __half* hb = on_device<__half>({__half(1.0f), __half(5.0f)});
  float* hc = on_device<float>({0, 0});
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 2, &one, ha, CUDA_R_16F, 2, hb, CUDA_R_16F, 2, &zero, hc,
               CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  v = back(hc, 2);
  std::printf("half %g %g\n", v[0], v[1]);
  signed char* ia = on_device<signed char>({1, 3, 2, 4});
  signed char* ib = on_device<signed char>({1, 2});
  int* ic = on_device<int>({0, 0});
  const int one_i = 1, zero_i = 0;
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 2, &one_i, ia, CUDA_R_8I, 2, ib, CUDA_R_8I, 2, &zero_i, ic,
               CUDA_R_32I, 2, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  const auto integers = back(ic, 2);
  std::printf("integers %d %d\n", integers[0], integers[1]);

  // (1 + i) (1 + 2i) = -1 + 3i
  cuComplex* z = on_device<cuComplex>({make_cuComplex(1, 2)});
  const cuComplex alpha = make_cuComplex(1, 1);
  cublasCscal(handle, 1, &alpha, z, 1);
  const auto turned = back(z, 1);
  std::printf("complex %g %g\n", turned[0].x, turned[0].y);

  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cublasSetStream(handle, stream);
  set<<<1, 3, 0, stream>>>(x, 2);
  cublasSasum(handle, 3, x, 1, &sum);
  std::printf("in a stream %g after a kernel\n", sum);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  set<<<1, 3, 0, stream>>>(y, 1);
  cublasSaxpy(handle, 3, &one, x, 1, y, 1);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cublasSasum(handle, 3, y, 1, &sum);
  std::printf("from a graph %g\n", sum);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  std::puts(cublasGetStatusName(
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, b, 2, &zero, c, 2)));
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
  for (void* p : std::initializer_list<void*>{x, y, mixed, pair, result, factor, a, b, c, u, w, s, t, identities,
                                              same, products, list_a, list_b, list_c, lower, right, ha, hb, hc, ia,
                                              ib, ic, z})
    cudaFree(p);
}
