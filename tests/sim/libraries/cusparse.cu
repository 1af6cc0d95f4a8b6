// cuSPARSE: a matrix by rows and by coordinates, times a vector and times a matrix.
// prints: rows 19 8 51 52
// prints: with beta 20 9 52 53
// prints: transposed 6 12 8 19
// prints: coordinates 19 8 51 52
// prints: from one 19 8 51 52
// prints: matrix 19 8 51 52 | 4 4 12 17
// prints: by rows 19 4 8 4 51 12 52 17
// prints: wrong size CUSPARSE_STATUS_INVALID_VALUE
#include <cusparse.h>

#include <cstdio>
#include <vector>

template <class T>
T* on_device(const std::vector<T>& values) {
  T* d;
  cudaMalloc(&d, values.size() * sizeof(T));
  cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

void print(const char* name, const float* d, int n, int bar = 0) {
  std::vector<float> values(n);
  cudaMemcpy(values.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s", name);
  for (int i = 0; i < n; ++i) std::printf("%s %g", bar && i == bar ? " |" : "", values[i]);
  std::printf("\n");
}

int main() {
  // 1 0 2 3
  // 0 4 0 0
  // 5 0 6 7
  // 0 8 0 9
  int* offsets = on_device<int>({0, 3, 4, 7, 9});
  int* rows = on_device<int>({0, 0, 0, 1, 2, 2, 2, 3, 3});
  int* columns = on_device<int>({0, 2, 3, 1, 0, 2, 3, 1, 3});
  int* offsets_from_one = on_device<int>({1, 4, 5, 8, 10});
  int* columns_from_one = on_device<int>({1, 3, 4, 2, 1, 3, 4, 2, 4});
  float* values = on_device<float>({1, 2, 3, 4, 5, 6, 7, 8, 9});
  float* x = on_device<float>({1, 2, 3, 4});
  float* y = on_device<float>({1, 1, 1, 1});
  const float one = 1, zero = 0;

  cusparseHandle_t handle;
  cusparseCreate(&handle);
  cusparseSpMatDescr_t by_rows, by_coordinates, from_one;
  cusparseDnVecDescr_t in, out, short_one;
  cusparseCreateCsr(&by_rows, 4, 4, 9, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateCoo(&by_coordinates, 4, 4, 9, rows, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  cusparseCreateCsr(&from_one, 4, 4, 9, offsets_from_one, columns_from_one, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  cusparseCreateDnVec(&in, 4, x, CUDA_R_32F);
  cusparseCreateDnVec(&out, 4, y, CUDA_R_32F);
  cusparseCreateDnVec(&short_one, 3, x, CUDA_R_32F);

  size_t bytes = 0;
  void* buffer;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, by_rows, in, &zero, out, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  cudaMalloc(&buffer, bytes);
  const auto multiply = [&](cusparseSpMatDescr_t a, cusparseOperation_t op, cusparseDnVecDescr_t by, float beta) {
    return cusparseSpMV(handle, op, &one, a, by, &beta, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  };
  multiply(by_rows, CUSPARSE_OPERATION_NON_TRANSPOSE, in, 0);
  print("rows", y, 4);
  cudaMemcpy(y, std::vector<float>{1, 1, 1, 1}.data(), 16, cudaMemcpyHostToDevice);
  multiply(by_rows, CUSPARSE_OPERATION_NON_TRANSPOSE, in, 1);
  print("with beta", y, 4);
  float* odd = on_device<float>({1, 1, 1, 1});
  cusparseDnVecSetValues(in, odd);
  multiply(by_rows, CUSPARSE_OPERATION_TRANSPOSE, in, 0);
  print("transposed", y, 4);
  cusparseDnVecSetValues(in, x);
  multiply(by_coordinates, CUSPARSE_OPERATION_NON_TRANSPOSE, in, 0);
  print("coordinates", y, 4);
  multiply(from_one, CUSPARSE_OPERATION_NON_TRANSPOSE, in, 0);
  print("from one", y, 4);

  float* b = on_device<float>({1, 2, 3, 4, 1, 1, 0, 1});  // two columns
  float* c = on_device<float>(std::vector<float>(8));
  cusparseDnMatDescr_t dense, product, product_by_rows;
  cusparseCreateDnMat(&dense, 4, 2, 4, b, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&product, 4, 2, 4, c, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&product_by_rows, 4, 2, 2, c, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  const auto multiply_all = [&](cusparseDnMatDescr_t to) {
    cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, by_rows, dense, &zero,
                 to, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
  };
  multiply_all(product);
  print("matrix", c, 8, 4);
  multiply_all(product_by_rows);
  print("by rows", c, 8);
  std::printf("wrong size %s\n",
              cusparseGetErrorName(multiply(by_rows, CUSPARSE_OPERATION_NON_TRANSPOSE, short_one, 0)));

  for (const auto m : {by_rows, by_coordinates, from_one}) cusparseDestroySpMat(m);
  for (const auto v : {in, out, short_one}) cusparseDestroyDnVec(v);
  for (const auto m : {dense, product, product_by_rows}) cusparseDestroyDnMat(m);
  cusparseDestroy(handle);
  for (void* p : std::initializer_list<void*>{offsets, rows, columns, offsets_from_one, columns_from_one, values, x, y,
                                              buffer, odd, b, c})
    cudaFree(p);
}
