// hazard: error race 8 10
// hazard: error uninitialized_read 10 0
// A thread reads its part of a tile before the asynchronous copy of it has arrived.
#include <cuda_pipeline.h>

__global__ void square(const float* in, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  const float x = tile[threadIdx.x];
  __pipeline_wait_prior(0);
  out[threadIdx.x] = x * x;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  square<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
