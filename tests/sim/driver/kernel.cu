// What host.cpp loads at run time.
__device__ int calls = 3;
extern "C" __global__ void scale(float* out, char step, double by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = out[i] * by + step;
  if (i == 0) ++calls;
}
