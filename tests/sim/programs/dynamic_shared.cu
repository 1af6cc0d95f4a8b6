// prints: int 63 double 63 global 3 two-dimensional 12
// prints: cudaErrorInvalidValue cudaSuccess cudaSuccess cudaErrorInvalidValue
#include <cstdio>
extern __shared__ int whole[];
template <class T>
__global__ void reverse(T* d, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[n - 1 - t];
}
__global__ void global(int* d) {
  whole[threadIdx.x] = 3;
  __syncthreads();
  extern __shared__ int rows[][4];
  if (threadIdx.x == 0) {
    d[0] = whole[5];
    rows[2][1] = 12;
    d[1] = whole[9];
  }
}
__global__ void large() { whole[0] = 1; }
int main() {
  int* d;
  double* x;
  cudaMallocManaged(&d, 256);
  cudaMallocManaged(&x, 512);
  for (int i = 0; i < 64; ++i) d[i] = i, x[i] = i;
  reverse<<<1, 64, 64 * sizeof(int)>>>(d, 64);
  reverse<double><<<1, 64, 64 * sizeof(double)>>>(x, 64);
  std::printf("int %d double %g ", d[0], x[0]);
  global<<<1, 32, 128>>>(d);
  std::printf("global %d two-dimensional %d\n", d[0], d[1]);
  large<<<1, 1, 49153>>>();
  const cudaError_t refused = cudaGetLastError();
  const cudaError_t raised = cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  large<<<1, 1, 100000>>>();
  const cudaError_t accepted = cudaGetLastError();
  const cudaError_t most = cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449);
  std::printf("%s %s %s %s\n", cudaGetErrorName(refused), cudaGetErrorName(raised), cudaGetErrorName(accepted),
              cudaGetErrorName(most));
}
