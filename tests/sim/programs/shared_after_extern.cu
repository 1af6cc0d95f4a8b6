// strict: clang takes extern only for arrays without a size
// prints: object 7, array 6, outside 9, beside dynamic 12
#include <cstdio>
// All but `dynamic` are static: nvcc warns and takes them so. The launch asks for no memory for them.
extern __shared__ int outside;
template <int n>
struct parts {
  int first[n], second;
};
template <int n>
__global__ void known_sizes(int* d) {
  extern __shared__ parts<n> s;
  extern __shared__ int array[n];
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  if (t < n) s.first[t] = t, array[t] = 2 * t - 2, dynamic[t] = 3 * t;
  if (t == 0) s.second = 3, outside = 9;
  __syncthreads();
  if (t > 0) return;
  d[0] = s.first[n - 1] + s.second;
  d[1] = array[n - 1];
  d[2] = outside;
  d[3] = dynamic[n - 1];
}
int main() {
  int* d;
  cudaMallocManaged(&d, 4 * sizeof(int));
  known_sizes<5><<<1, 32, 5 * sizeof(int)>>>(d);
  cudaDeviceSynchronize();
  std::printf("object %d, array %d, outside %d, beside dynamic %d\n", d[0], d[1], d[2], d[3]);
}
